import type { Sandbox } from '@tabularium/sandbox';
import type { OperationCall, OperationEvent, OperationsFacet, Session } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { admin, call, open, startFixture } from '../fixture.test-helper.ts';

const FROM = 'source';
const TO = 'next';
const COUNT = 2_500;
const IMPORT = `/collections/${TO}/documents/import`;

let sandbox: Sandbox;
let session: Session;

beforeEach(async () => {
  sandbox = await startFixture('29.0');
  session = await open(sandbox);
  await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: FROM, fields: [{ name: 'n', type: 'int32' }] }));
  const lines = Array.from({ length: COUNT }, (_, n) => JSON.stringify({ id: `d${n}`, n }));
  await admin(sandbox, 'POST', `/collections/${FROM}/documents/import`, lines.join('\n'));
  await admin(sandbox, 'PUT', '/aliases/live', JSON.stringify({ collection_name: FROM }));
});
afterEach(async () => {
  await session.close();
  await sandbox.close();
});

const facet = (): OperationsFacet => {
  if (session.operations === undefined) throw new Error('The session has no operations.');
  return session.operations;
};
const exported = (collection: string): Promise<string> => admin(sandbox, 'GET', `/collections/${collection}/documents/export`);

async function callOf(operation: 'clone' | 'reindex'): Promise<OperationCall> {
  const place = { on: 'table', table: { namespace: [], name: operation === 'clone' ? FROM : 'live' } } as const;
  const { document } = await facet().form(place, operation, call);
  const input = operation === 'clone' ? { name: TO, documents: true } : { ...(JSON.parse(document) as object), target: TO };
  return { place, operation, input: JSON.stringify(input) };
}

interface Stopped {
  readonly asked: OperationCall;
  readonly basis: string;
  readonly checkpoint: string;
  readonly error?: unknown;
}

/** Runs until a checkpoint is one to stop at, as a crash does. */
async function stopAt(asked: OperationCall, isLast: (checkpoint: string) => boolean, from?: Stopped): Promise<Stopped> {
  const basis = from?.basis ?? (await facet().plan(asked, call)).basis;
  let checkpoint = '';
  const options = from === undefined ? { basis } : { basis, checkpoint: from.checkpoint };
  try {
    for await (const event of facet().run(asked, { ...options, ...call })) {
      if (event.type !== 'checkpoint') continue;
      ({ checkpoint } = event);
      if (isLast(checkpoint)) break;
    }
  } catch (error) {
    return { asked, basis, checkpoint, error };
  }
  return { asked, basis, checkpoint };
}

const halfway = (checkpoint: string): boolean => checkpoint.includes('"done":1000');
const resumed = ({ asked, basis, checkpoint }: Stopped): Promise<OperationEvent[]> =>
  Array.fromAsync(facet().run(asked, { basis, checkpoint, ...call }));

/** Deletes the new collection and makes it again with the same fields, as another client does. */
async function madeAgain(documents: string): Promise<void> {
  const { fields } = JSON.parse(await admin(sandbox, 'GET', `/collections/${TO}`)) as { fields: object[] };
  await admin(sandbox, 'DELETE', `/collections/${TO}`);
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: TO, fields }));
  if (documents !== '') await admin(sandbox, 'POST', IMPORT, documents);
}

const refused = { code: 'CONFLICT', details: { cannotResume: true } };

describe.each(['clone', 'reindex'] as const)('the new collection of a %s that was made again by another client', (operation) => {
  it.each([
    ['a document of its own', '{"id":"stranger","n":7}'],
    ['another document of an id that was copied', '{"id":"d0","n":7}'],
    ['no document, where some were copied', ''],
  ])('is neither written into nor deleted when it has %s', async (_what, documents) => {
    const stopped = await stopAt(await callOf(operation), halfway);
    await madeAgain(documents);
    const there = await exported(TO);
    const error: unknown = await resumed(stopped).catch((reason: unknown) => reason);
    // A second try must not delete it either.
    await resumed(stopped).catch(() => undefined);
    expect(await exported(TO)).toBe(there);
    expect(error).toMatchObject(refused);
  });

  it('is not written into where it has all that was copied and a document of its own', async () => {
    const stopped = await stopAt(await callOf(operation), halfway);
    const own = '{"id":"stranger","n":7}';
    await madeAgain(`${await exported(TO)}\n${own}`);
    const there = await exported(TO);
    await expect(resumed(stopped)).rejects.toMatchObject(refused);
    expect(await exported(TO)).toBe(there);
  });

  it('is not deleted where it has exactly what was copied, and the counts differ in the end', async () => {
    const asked = await callOf(operation);
    const stopped = await stopAt(asked, halfway);
    await madeAgain(await exported(TO));
    const taken = await stopAt(asked, (checkpoint) => checkpoint.includes('"done":2500'), stopped);
    await admin(sandbox, 'POST', `/collections/${TO}/documents`, '{"id":"stranger","n":7}');
    const differed = await stopAt(asked, () => false, taken);
    expect(differed).toMatchObject({
      error: { code: 'CONFLICT' },
      checkpoint: expect.stringContaining('"again":true') as string,
    });
    await expect(resumed(differed)).rejects.toMatchObject(refused);
    expect(await exported(TO)).toContain('stranger');
  });

  it('is not written into where that happens while documents are copied', async () => {
    const asked = await callOf(operation);
    const { basis } = await facet().plan(asked, call);
    const running = async (): Promise<void> => {
      for await (const event of facet().run(asked, { basis, ...call })) {
        if (event.type === 'checkpoint' && halfway(event.checkpoint)) await madeAgain('{"id":"stranger","n":7}');
      }
    };
    await expect(running()).rejects.toMatchObject(refused);
    expect((await exported(TO)).trim()).toBe('{"id":"stranger","n":7}');
  });

  it('is continued where the server restarts while documents are copied', async () => {
    const asked = await callOf(operation);
    const { basis } = await facet().plan(asked, call);
    let last: OperationEvent | undefined;
    for await (const event of facet().run(asked, { basis, ...call })) {
      if (event.type === 'checkpoint' && halfway(event.checkpoint) && last?.type !== 'checkpoint')
        await madeAgain(await exported(TO));
      last = event;
    }
    expect(last).toMatchObject({ type: 'result', affectedRows: COUNT });
  });

  it('is taken where a run ended before it recorded the time of creation, and is never deleted then', async () => {
    const asked = await callOf(operation);
    const stopped = await stopAt(asked, () => true);
    await admin(sandbox, 'POST', `/collections?src_name=${FROM}`, JSON.stringify({ name: TO }));
    const full = await stopAt(asked, (checkpoint) => checkpoint.includes('"done":2500'), stopped);
    expect(full.error).toBeUndefined();
    await admin(sandbox, 'POST', `/collections/${TO}/documents`, '{"id":"late","n":7}');
    const differed = await stopAt(asked, () => false, full);
    await expect(resumed(differed)).rejects.toMatchObject(refused);
    expect(await exported(TO)).toContain('late');
  });
});
