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
    expect(plan.consequence).toContain(`found by the filter pages:<5 now`);
    expect(plan.consequence).not.toMatch(/^All/);
    // A filter that lets everything pass is noticed before, not afterwards.
    const everything = { place: on('shelf'), operation: 'delete-by-query', input: '{"filter_by":"pages:>=0"}' };
    expect((await facet().plan(everything, call)).consequence).toMatch(
      /^All \d+ documents of “shelf” are found by the filter pages:>=0 now/,
    );
    const misspelled = { place: on('shelf'), operation: 'delete-by-query', input: '{"filter_by":"pages:<5","filter":"x"}' };
    await expect(facet().plan(misspelled, call)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'filter' } });
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
    await admin(
      sandbox,
      'POST',
      '/collections',
      JSON.stringify({ name: input['target'], fields: [{ name: 'n', type: 'int32' }] }),
    );
    expect(await formOf(on('bookcase'), 'reindex')).toMatchObject({ target: `${String(input['target'])}_2` });
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

describe('a copy of many documents', () => {
  const FROM = 'source';
  const COUNT = 3_500;

  beforeEach(async () => {
    await start('29.0');
    const schema = { name: FROM, fields: [{ name: 'n', type: 'int32' }] };
    await admin(sandbox, 'POST', '/collections', JSON.stringify(schema));
    const lines = Array.from({ length: COUNT }, (_, n) => JSON.stringify({ id: `d${n}`, n }));
    await admin(sandbox, 'POST', `/collections/${FROM}/documents/import`, lines.join('\n'));
    await admin(sandbox, 'PUT', '/aliases/live', JSON.stringify({ collection_name: FROM }));
    await admin(sandbox, 'PUT', `/collections/${FROM}/synonyms/s/1`.replace('s/1', 's%2F1'), '{"synonyms":["a","b"]}');
  });

  const reindexInput = async (more: object = {}): Promise<string> =>
    JSON.stringify({ ...(await formOf(on('live'), 'reindex')), target: 'next', ...more });
  const target = async (): Promise<string> => (await get<{ collection_name: string }>('/aliases/live')).collection_name;
  /** Posts that reached the new collection. */
  const imports = (): number =>
    sandbox.requests.seen.filter(({ method, path }) => method === 'POST' && path.includes('/next/documents/import')).length;

  interface Interrupted {
    readonly call: OperationCall;
    readonly basis: string;
    readonly checkpoint: string;
  }

  /** Runs until the checkpoints so far are this many, and ends there as a crash does. */
  async function interruptAt(count: number): Promise<Interrupted> {
    const asked: OperationCall = { place: on('live'), operation: 'reindex', input: await reindexInput() };
    const { basis } = await facet().plan(asked, call);
    let seen = 0;
    for await (const event of facet().run(asked, { basis, ...call })) {
      if (event.type !== 'checkpoint') continue;
      seen += 1;
      if (seen === count) return { call: asked, basis, checkpoint: event.checkpoint };
    }
    throw new Error('It ended before.');
  }

  async function resume({ call: asked, basis, checkpoint }: Interrupted): Promise<OperationEvent | undefined> {
    const events = await Array.fromAsync(facet().run(asked, { basis, checkpoint, ...call }));
    return events.at(-1);
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'that is interrupted at checkpoint %i continues without a lost or doubled document',
    async (count) => {
      const interrupted = await interruptAt(count);
      expect(await target()).toBe(FROM);
      expect(await resume(interrupted)).toMatchObject({ type: 'result', affectedRows: COUNT });
      expect(await idsOf('next')).toEqual(await idsOf(FROM));
      expect(await target()).toBe('next');
      expect(await get('/collections/next/synonyms')).toMatchObject({ synonyms: [{ id: 's/1', synonyms: ['a', 'b'] }] });
    },
  );

  it('that is cancelled leaves alias and old collection untouched', async () => {
    const cancelling = new AbortController();
    const asked: OperationCall = { place: on('live'), operation: 'reindex', input: await reindexInput() };
    const { basis } = await facet().plan(asked, call);
    const running = async (): Promise<void> => {
      for await (const event of facet().run(asked, { basis, signal: cancelling.signal })) {
        if (event.type === 'progress' && event.done === 1_000) cancelling.abort();
      }
    };
    await expect(running()).rejects.toMatchObject({ name: expect.stringMatching(/AbortError|DriverError/) as string });
    expect(await target()).toBe(FROM);
    expect(await get(`/collections/${FROM}`)).toMatchObject({ num_documents: COUNT });
    expect(imports()).toBeLessThan(4);
  });

  it('takes documents that are added meanwhile', async () => {
    const interrupted = await interruptAt(4);
    await admin(sandbox, 'POST', `/collections/${FROM}/documents`, '{"id":"late","n":1}');
    expect(await resume(interrupted)).toMatchObject({ type: 'result', affectedRows: COUNT + 1 });
    expect(await idsOf('next')).toContain('late');
  });

  it('names both counts where documents were deleted meanwhile, moves nothing, and copies again when resumed', async () => {
    const interrupted = await interruptAt(5);
    await admin(sandbox, 'DELETE', `/collections/${FROM}/documents/d3`);
    let checkpoint = interrupted.checkpoint;
    const differing = async (): Promise<void> => {
      for await (const event of facet().run(interrupted.call, { ...interrupted, ...call })) {
        if (event.type === 'checkpoint') ({ checkpoint } = event);
      }
    };
    await expect(differing()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('“source” has 3,499 documents, “next” has 3,500') as string,
    });
    expect(await target()).toBe(FROM);
    expect(await resume({ ...interrupted, checkpoint })).toMatchObject({ type: 'result', affectedRows: COUNT - 1 });
    expect(await idsOf('next')).toEqual(await idsOf(FROM));
  });

  it('sends all again where the last copied document is gone', async () => {
    const interrupted = await interruptAt(4);
    const { state } = JSON.parse(interrupted.checkpoint) as { state: { lastId: string } };
    await admin(sandbox, 'DELETE', `/collections/${FROM}/documents/${state.lastId}`);
    await admin(sandbox, 'DELETE', `/collections/next/documents/${state.lastId}`);
    expect(await resume(interrupted)).toMatchObject({ type: 'result', affectedRows: COUNT - 1 });
    expect(await idsOf('next')).toEqual(await idsOf(FROM));
  });

  it('does not continue into a collection that another one made meanwhile', async () => {
    const interrupted = await interruptAt(4);
    await admin(sandbox, 'DELETE', '/collections/next');
    await expect(resume(interrupted)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('deleted') as string,
    });
    expect(await target()).toBe(FROM);
  });

  /** As after a restart of the server: the same collection has another time of its making. */
  async function madeAgain(name: string, documents: string): Promise<void> {
    const { fields } = await get<{ fields: object[] }>(`/collections/${name}`);
    await admin(sandbox, 'DELETE', `/collections/${name}`);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await admin(sandbox, 'POST', '/collections', JSON.stringify({ name, fields }));
    if (documents !== '') await admin(sandbox, 'POST', `/collections/${name}/documents/import`, documents);
  }
  const documentsOf = (name: string): Promise<string> => admin(sandbox, 'GET', `/collections/${name}/documents/export`);

  it.each([['next'], [FROM], ['next', FROM]])(
    'is resumed where the server says another time of the making of %s %s, as after its restart',
    async (...names) => {
      const interrupted = await interruptAt(5);
      for (const name of names) await madeAgain(name, await documentsOf(name));
      expect(await resume(interrupted)).toMatchObject({ type: 'result', affectedRows: COUNT });
      expect(await idsOf('next')).toEqual(await idsOf(FROM));
      expect(await target()).toBe('next');
    },
  );

  it('says what another collection of the name has, changes nothing, and can’t be resumed', async () => {
    const interrupted = await interruptAt(4);
    const others = Array.from({ length: 9_000 }, (_, n) => JSON.stringify({ id: `other${n}`, n }));
    await madeAgain('next', others.join('\n'));
    await expect(resume(interrupted)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('“next” has 9,000 documents') as string,
      details: { cannotResume: true },
    });
    expect(await get('/collections/next')).toMatchObject({ num_documents: 9_000 });
    await admin(sandbox, 'DELETE', '/collections/next');
    const schema = { name: 'next', fields: [{ name: 'n', type: 'string' }] };
    await admin(sandbox, 'POST', '/collections', JSON.stringify(schema));
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await expect(resume(interrupted)).rejects.toMatchObject({
      message: expect.stringContaining('another schema') as string,
      details: { cannotResume: true },
    });
    expect(await target()).toBe(FROM);
  });

  it('names rejected documents and moves no alias, unless the input says to continue without them', async () => {
    const fields = [
      { name: 'n', type: 'int32' },
      { name: 'missing', type: 'string' },
    ];
    await admin(sandbox, 'PATCH', `/collections/${FROM}/documents/d7`, '{"missing":"there"}');
    const input = await reindexInput({ schema: { fields } });
    const asked: OperationCall = { place: on('live'), operation: 'reindex', input };
    const { basis } = await facet().plan(asked, call);
    const events: OperationEvent[] = [];
    const running = async (): Promise<void> => {
      for await (const event of facet().run(asked, { basis, ...call })) events.push(event);
    };
    await expect(running()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('rejected 3,499 documents') as string,
    });
    expect(await target()).toBe(FROM);
    const rejected = events.filter((event) => event.type === 'rejected');
    expect(rejected).toHaveLength(COUNT - 1);
    expect(rejected[0]).toMatchObject({ row: 'd0', message: expect.stringContaining('missing') as string });
    await admin(sandbox, 'DELETE', '/collections/next');
    const { result } = await run(on('live'), 'reindex', { ...(JSON.parse(input) as object), on_rejected: 'continue' });
    expect(result.message).toContain('3,499 documents were rejected and are missing.');
    expect(await target()).toBe('next');
  });

  it('moves no alias that leads elsewhere by then', async () => {
    const interrupted = await interruptAt(6);
    await admin(sandbox, 'PUT', '/aliases/live', '{"collection_name":"shelf"}');
    await expect(resume(interrupted)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await target()).toBe('shelf');
  });

  it('moves no alias where the last of many with long names leads elsewhere than was confirmed', async () => {
    const aliases = Array.from({ length: 20 }, (_, n) => `${'a'.repeat(200)}${String(n).padStart(2, '0')}`);
    for (const alias of aliases) await admin(sandbox, 'PUT', `/aliases/${alias}`, JSON.stringify({ collection_name: FROM }));
    const asked: OperationCall = {
      place: { on: 'server' },
      operation: 'move-aliases',
      input: JSON.stringify({ moves: aliases.map((alias) => ({ alias, collection: 'many' })) }),
    };
    const { basis } = await facet().plan(asked, call);
    await admin(sandbox, 'PUT', `/aliases/${aliases.at(-1) ?? ''}`, '{"collection_name":"shelf"}');
    await expect(Array.fromAsync(facet().run(asked, { basis, ...call }))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await get(`/aliases/${aliases[0] ?? ''}`)).toMatchObject({ collection_name: FROM });
  });

  it('without an alias says what happens, makes one when asked, and never takes the name of a collection', async () => {
    const plain = { place: on('many'), operation: 'reindex' };
    const form = await formOf(on('many'), 'reindex');
    expect(form).toMatchObject({ aliases: [], target: expect.stringMatching(/^many_\d{4}-\d\d-\d\d$/) as string });
    const planned = await facet().plan({ ...plain, input: JSON.stringify(form) }, call);
    expect(planned.consequence).toContain('No alias leads to “many” and none is made');
    const taken = facet().plan({ ...plain, input: JSON.stringify({ ...form, aliases: ['many'] }) }, call);
    await expect(taken).rejects.toMatchObject({ code: 'CONFLICT', details: { field: 'aliases' } });
    const { result } = await run(on('many'), 'reindex', { ...form, target: 'many2', aliases: ['fresh'] });
    expect(await get('/aliases/fresh')).toMatchObject({ collection_name: 'many2' });
    expect(JSON.parse(result.undo?.call.input ?? '')).toEqual({ moves: [{ alias: 'fresh', from: 'many2' }] });
  });

  it('keeps numbers beyond 2^53 digit for digit', async () => {
    await admin(sandbox, 'POST', '/collections', '{"name":"exact","fields":[{"name":"big","type":"int64"}]}');
    await admin(sandbox, 'POST', '/collections/exact/documents', '{"id":"a","big":9007199254740993}');
    await run(on('exact'), 'clone', { name: 'exact2', documents: true });
    expect(await admin(sandbox, 'GET', '/collections/exact2/documents/a')).toContain('9007199254740993');
  });

  it('stops where the server takes no more documents', async () => {
    const interrupted = await interruptAt(4);
    sandbox.setExhausted('OUT_OF_DISK');
    await expect(resume(interrupted)).rejects.toMatchObject({ name: 'DriverError' });
    expect(await target()).toBe(FROM);
    sandbox.setExhausted(undefined);
    expect(await resume(interrupted)).toMatchObject({ type: 'result', affectedRows: COUNT });
  });

  it('rejects values that do not fit a changed type, and converts them only when the input says so', async () => {
    await admin(sandbox, 'POST', '/collections', '{"name":"priced","fields":[{"name":"price","type":"float"}]}');
    await admin(sandbox, 'POST', '/collections/priced/documents', '{"id":"a","price":9.99}');
    const form = await formOf(on('priced'), 'reindex');
    const input = { ...form, target: 'priced2', schema: { fields: [{ name: 'price', type: 'int32' }] } };
    const asked: OperationCall = { place: on('priced'), operation: 'reindex', input: JSON.stringify(input) };
    const plan = await facet().plan(asked, call);
    expect(plan.consequence).toContain('value of price that doesn’t fit the new type are rejected');
    const rejected = Array.fromAsync(facet().run(asked, { basis: plan.basis, ...call }));
    await expect(rejected).rejects.toMatchObject({ message: expect.stringContaining('rejected 1 document') as string });
    await admin(sandbox, 'DELETE', '/collections/priced2');
    const converted = await run(on('priced'), 'reindex', { ...input, other_types: 'convert' });
    expect(converted.plan.consequence).toContain('Values of price are converted');
    expect(await get('/collections/priced2/documents/a')).toMatchObject({ price: 9 });
    const wrong = { ...asked, input: JSON.stringify({ ...input, target: 'priced3', other_types: 'round' }) };
    await expect(facet().plan(wrong, call)).rejects.toMatchObject({ details: { field: 'other_types' } });
  });

  it('that stopped before the swap takes later documents and compares again before it moves an alias', async () => {
    const interrupted = await interruptAt(8);
    await admin(sandbox, 'POST', `/collections/${FROM}/documents`, '{"id":"late","n":1}');
    expect(await resume(interrupted)).toMatchObject({ type: 'result', affectedRows: COUNT + 1 });
    expect(await idsOf('next')).toContain('late');
  });

  it('that stopped before the swap moves no alias where a document of the new collection is gone', async () => {
    const interrupted = await interruptAt(8);
    await admin(sandbox, 'DELETE', '/collections/next/documents/d5');
    await expect(resume(interrupted)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await target()).toBe(FROM);
  });

  it('that stopped between two aliases moves the second, and sends nothing into the collection that is in use', async () => {
    await admin(sandbox, 'PUT', '/aliases/second', JSON.stringify({ collection_name: FROM }));
    const interrupted = await interruptAt(8);
    await admin(sandbox, 'PUT', '/aliases/live', '{"collection_name":"next"}');
    await admin(sandbox, 'POST', '/collections/next/documents', '{"id":"new","n":1}');
    const before = imports();
    expect(await resume(interrupted)).toMatchObject({ type: 'result' });
    expect(imports()).toBe(before);
    expect(await get('/aliases/second')).toMatchObject({ collection_name: 'next' });
  });

  it('whose key may not read aliases any more sends nothing once it had come to the swap', async () => {
    const interrupted = await interruptAt(8);
    const before = imports();
    sandbox.fault(({ method, path }) =>
      method === 'GET' && path.startsWith('/aliases')
        ? { kind: 'answer', status: 403, body: '{"message":"Forbidden"}' }
        : undefined,
    );
    await expect(resume(interrupted)).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
    expect(imports()).toBe(before);
  });

  it('compares again where as many documents were deleted as added while it copied', async () => {
    const asked: OperationCall = { place: on('live'), operation: 'reindex', input: await reindexInput() };
    const { basis } = await facet().plan(asked, call);
    const running = async (): Promise<void> => {
      for await (const event of facet().run(asked, { basis, ...call })) {
        if (event.type !== 'checkpoint') continue;
        const { phase, state } = JSON.parse(event.checkpoint) as { phase: string; state: { done: number } };
        if (phase !== 'copy' || state.done !== COUNT) continue;
        await admin(sandbox, 'DELETE', `/collections/${FROM}/documents/d3`);
        await admin(sandbox, 'POST', `/collections/${FROM}/documents`, '{"id":"late","n":1}');
      }
    };
    await expect(running()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await idsOf('next')).toContain('late');
    expect(await target()).toBe(FROM);
  });

  it('does not trust equal counts while documents are added faster than they are copied, and continues when resumed', async () => {
    const asked: OperationCall = { place: on('live'), operation: 'reindex', input: await reindexInput() };
    const { basis } = await facet().plan(asked, call);
    let checkpoint = '';
    let added = 0;
    const running = async (): Promise<void> => {
      for await (const event of facet().run(asked, { basis, ...call })) {
        if (event.type !== 'checkpoint') continue;
        ({ checkpoint } = event);
        const { phase, state } = JSON.parse(checkpoint) as { phase: string; state: { done: number } };
        if (phase !== 'copy' || state.done < COUNT) continue;
        added += 1;
        await admin(sandbox, 'POST', `/collections/${FROM}/documents`, JSON.stringify({ id: `late${added}`, n: 1 }));
      }
    };
    await expect(running()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('still being added') as string,
    });
    expect(await target()).toBe(FROM);
    expect(await resume({ call: asked, basis, checkpoint })).toMatchObject({ type: 'result', affectedRows: COUNT + added });
    expect(await idsOf('next')).toEqual(await idsOf(FROM));
  });

  /** A run whose counts differed: `next` has one document more than the old collection. */
  async function differing(): Promise<Interrupted> {
    const interrupted = await interruptAt(5);
    await admin(sandbox, 'DELETE', `/collections/${FROM}/documents/d3`);
    let checkpoint = interrupted.checkpoint;
    const running = async (): Promise<void> => {
      for await (const event of facet().run(interrupted.call, { ...interrupted, ...call })) {
        if (event.type === 'checkpoint') ({ checkpoint } = event);
      }
    };
    await expect(running()).rejects.toMatchObject({ code: 'CONFLICT' });
    return { ...interrupted, checkpoint };
  }

  it.each([
    ['an alias leads to it by now', 'PUT', '/aliases/live', '{"collection_name":"next"}'],
    ['its documents are others by now', 'POST', '/collections/next/documents', '{"id":"new","n":1}'],
  ])('whose counts differed keeps the new collection when %s', async (_why, method, path, body) => {
    const interrupted = await differing();
    await admin(sandbox, method, path, body);
    const before = await idsOf('next');
    await expect(resume(interrupted)).rejects.toMatchObject({ code: 'CONFLICT', details: { cannotResume: true } });
    expect(await idsOf('next')).toEqual(before);
  });

  it('whose counts differed keeps the new collection when its key may not list the aliases', async () => {
    const interrupted = await differing();
    sandbox.fault(({ method, path }) =>
      method === 'GET' && path === '/aliases' ? { kind: 'answer', status: 403, body: '{"message":"Forbidden"}' } : undefined,
    );
    await expect(resume(interrupted)).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
    expect(await get('/collections/next')).toMatchObject({ num_documents: COUNT });
  });

  it('whose counts differed continues where its own deletion was done and the answer lost', async () => {
    const interrupted = await differing();
    await admin(sandbox, 'DELETE', '/collections/next');
    expect(await resume(interrupted)).toMatchObject({ type: 'result', affectedRows: COUNT - 1 });
    expect(await idsOf('next')).toEqual(await idsOf(FROM));
  });

  it('cannot be resumed where the server rejected the new collection, and can where the answer was lost', async () => {
    const asked: OperationCall = {
      place: on('live'),
      operation: 'reindex',
      input: await reindexInput({ schema: { fields: [{ name: 'n', type: 'nonsense' }] } }),
    };
    const { basis } = await facet().plan(asked, call);
    const rejected = Array.fromAsync(facet().run(asked, { basis, ...call }));
    await expect(rejected).rejects.toMatchObject({ details: { cannotResume: true } });
    sandbox.fault(({ method, path }) => (method === 'POST' && path === '/collections' ? { kind: 'reset' } : undefined));
    const good: OperationCall = { ...asked, input: await reindexInput() };
    const plan = await facet().plan(good, call);
    const lost = await Array.fromAsync(facet().run(good, { basis: plan.basis, ...call })).catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: 'CONNECTION_LOST' });
    expect(lost).not.toMatchObject({ details: { cannotResume: true } });
  });

  it.each([
    ['another type', { fields: [{ name: 'n', type: 'string' }] }],
    [
      'another field',
      {
        fields: [
          { name: 'n', type: 'int32' },
          { name: 'more', type: 'string', optional: true },
        ],
      },
    ],
    ['another setting', { fields: [{ name: 'n', type: 'int32' }], default_sorting_field: 'n' }],
  ])('does not take an empty collection of its name that has %s', async (_what, schema) => {
    const interrupted = await interruptAt(1);
    await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'next', ...schema }));
    await expect(resume(interrupted)).rejects.toMatchObject({ code: 'CONFLICT', details: { cannotResume: true } });
    expect(await get('/collections/next')).toMatchObject({ num_documents: 0 });
    expect(await target()).toBe(FROM);
  });

  it('takes the empty collection that it made, when the answer was lost', async () => {
    const interrupted = await interruptAt(1);
    const { schema } = JSON.parse(interrupted.call.input) as { schema: object };
    await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'next', ...schema }));
    expect(await resume(interrupted)).toMatchObject({ type: 'result', affectedRows: COUNT });
  });
});
