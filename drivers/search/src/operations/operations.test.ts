import type { Sandbox, SandboxVersion } from '@tabularium/sandbox';
import type { OperationCall, OperationEvent, OperationPlan, OperationsFacet, Session } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { admin, call, open, startFixture } from '../fixture.test-helper.ts';

type Result = Extract<OperationEvent, { type: 'result' }>;

let sandbox: Sandbox;
let session: Session;

const facet = (): OperationsFacet => {
  if (session.operations === undefined) throw new Error('The session has no operations.');
  return session.operations;
};
const on = (name: string) => ({ on: 'table', table: { namespace: [], name } }) as const;
const get = async <T>(path: string): Promise<T> => JSON.parse(await admin(sandbox, 'GET', path)) as T;
const idsOf = async (collection: string): Promise<string[]> =>
  (await admin(sandbox, 'GET', `/collections/${encodeURIComponent(collection)}/documents/export`))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id)
    .sort();

async function start(version: SandboxVersion): Promise<void> {
  sandbox = await startFixture(version);
  session = await open(sandbox);
}
afterEach(async () => {
  await session.close();
  await sandbox.close();
});

async function formOf(place: OperationCall['place'], operation: string): Promise<Record<string, unknown>> {
  const { document } = await facet().form(place, operation, call);
  return JSON.parse(document) as Record<string, unknown>;
}

interface Done {
  readonly plan: OperationPlan;
  readonly events: OperationEvent[];
  readonly result: Result;
}

async function run(place: OperationCall['place'], operation: string, input: unknown): Promise<Done> {
  const asked: OperationCall = { place, operation, input: JSON.stringify(input) };
  const plan = await facet().plan(asked, call);
  const events: OperationEvent[] = [];
  for await (const event of facet().run(asked, { basis: plan.basis, ...call })) events.push(event);
  const result = events.at(-1);
  if (result?.type !== 'result') throw new Error('There is no result.');
  return { plan, events, result };
}

describe.each(['26.0', '27.1', '28.0', '29.0', '30.0'] as const)('operations on a server of version %s', (version) => {
  beforeEach(() => start(version));

  it('makes a collection of a schema, and refuses names that are taken, also by an alias', async () => {
    const [first] = (await facet().form({ on: 'server' }, 'new-collection', call)).presets;
    const { plan } = await run({ on: 'server' }, 'new-collection', JSON.parse(first?.document ?? ''));
    expect(plan.steps[0]?.statements[0]).toMatch(/^POST \/collections\n\{/);
    expect(await get('/collections/products')).toMatchObject({ num_documents: 0, default_sorting_field: 'popularity' });
    for (const name of ['shelf', 'bookcase']) {
      const input = JSON.stringify({ name, fields: [{ name: 'a', type: 'string' }] });
      const planned = facet().plan({ place: { on: 'server' }, operation: 'new-collection', input }, call);
      await expect(planned).rejects.toMatchObject({ code: 'CONFLICT', details: { field: 'name' } });
    }
  });

  it('adds fields and drops them, and each takes the other back', async () => {
    const added = await run(on('shelf'), 'add-fields', { fields: [{ name: 'weight', type: 'int32', optional: true }] });
    const fields = async () => (await get<{ fields: { name: string }[] }>('/collections/shelf')).fields.map(({ name }) => name);
    expect(await fields()).toContain('weight');
    const undo = added.result.undo?.call;
    if (undo === undefined) throw new Error('It can’t be undone.');
    const dropped = await run(undo.place, undo.operation, JSON.parse(undo.input));
    expect(await fields()).not.toContain('weight');
    expect(JSON.parse(dropped.result.undo?.call.input ?? '')).toMatchObject({ fields: [{ name: 'weight', type: 'int32' }] });
  });

  it('deletes what a filter finds, after its count', async () => {
    const { plan, result } = await run(on('bookcase'), 'delete-by-query', { filter_by: 'pages:<5' });
    expect(plan).toMatchObject({ effect: 'destructive', confirm: 'shelf', count: { exact: true } });
    expect(result.affectedRows).toBe(plan.count?.rows);
    expect(await get('/collections/shelf')).toMatchObject({ num_documents: 24 - (plan.count?.rows ?? 0) });
    const unknown = { place: on('shelf'), operation: 'delete-by-query', input: '{"filter_by":"nope:>1"}' };
    await expect(facet().plan(unknown, call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('clones a schema, and documents with it', async () => {
    await run(on('shelf'), 'clone', { name: 'shelf2' });
    expect(await get('/collections/shelf2')).toMatchObject({ num_documents: 0 });
    const { result } = await run(on('a/b ö'), 'clone', { name: 'c/d', documents: true });
    expect(result.affectedRows).toBe(16);
    expect(await idsOf('c/d')).toEqual(await idsOf('a/b ö'));
  });

  it('reindexes into a changed schema and moves the alias; the undo moves it back', async () => {
    const input = await formOf(on('bookcase'), 'reindex');
    expect(input['aliases']).toEqual(['bookcase']);
    const schema = input['schema'] as { fields: { name: string; infix?: boolean }[] };
    for (const field of schema.fields) if (field.name === 'title') field.infix = true;
    const { plan, result, events } = await run(on('bookcase'), 'reindex', { ...input, target: 'shelf_new' });
    expect(plan.count).toEqual({ rows: 24, exact: true });
    expect(await get('/aliases/bookcase')).toMatchObject({ collection_name: 'shelf_new' });
    expect(await idsOf('shelf_new')).toEqual(await idsOf('shelf'));
    expect((await get<{ fields: { name: string; infix: boolean }[] }>('/collections/shelf_new')).fields).toContainEqual(
      expect.objectContaining({ name: 'title', infix: true }),
    );
    expect(events.some((event) => event.type === 'checkpoint')).toBe(true);
    const undo = result.undo?.call;
    if (undo === undefined) throw new Error('It can’t be undone.');
    await run(undo.place, undo.operation, JSON.parse(undo.input));
    expect(await get('/aliases/bookcase')).toMatchObject({ collection_name: 'shelf' });
  });
});
