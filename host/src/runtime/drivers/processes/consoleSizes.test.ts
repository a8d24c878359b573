import { DRIVER_METHODS } from '@tabularium/sdk/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { driverSource, ProcessBench } from './processes.test-helper.ts';

// A person's request may be larger than the largest answer of a driver. Then the request is at fault, not the driver: it keeps running.

const signal = new AbortController().signal;
const table = { namespace: [], name: 't' };

let bench: ProcessBench;
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());

const SOURCE = driverSource(`
  console: {
    split(text) { return text.split(';').map((part, index) => ({ text: part, start: index, end: index + part.length })); },
    async classify(statement) {
      return { effect: 'read', tables: statement.split(',').map((name) => ({ namespace: [], name })), summary: 'many' };
    },
    async *run() { yield { type: 'done', truncated: false, milliseconds: 1 }; },
    describeRequest(statement) { return { method: 'GET', path: statement }; },
  },
  edits: {
    atomicity: 'each',
    async prepare(_table, changes) {
      return changes.map(({ values }) => ({ ready: true, text: String(values[0].value), language: 'text' }));
    },
    async *apply() {},
  },`);

it('a request that makes more than a driver may answer is rejected with the limit, and the driver keeps running', async () => {
  const processes = await bench.processes();
  const session = await processes.connect({ driver: await bench.driver(SOURCE), settings: { host: 'h' }, files: {}, signal });
  const { console, edits } = session;
  if (console === undefined || edits === undefined) throw new Error('no facets');
  const change = { kind: 'insert', values: [{ column: 'a', value: 'x'.repeat(4_000_001) }] } as const;
  const requests: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['100,000 statements', async () => console.split(';'.repeat(140_000))],
    ['1,000 tables', () => console.classify('a,'.repeat(1_400), { signal })],
    ['16,384 characters', async () => console.describeRequest?.(`/${'x'.repeat(20_000)}`)],
    ['4,000,000 characters', () => edits.prepare(table, [change], { signal })],
  ];
  for (const [limit, request] of requests) {
    const error: unknown = await request().catch((thrown: unknown) => thrown);
    expect(error, limit).toMatchObject({ name: 'DriverError', code: 'INVALID_INPUT' });
    expect((error as Error).message).toContain(limit);
    // The same session: its process was not ended.
    expect(await console.split('a;b')).toHaveLength(2);
  }
  expect(await console.split(';'.repeat(99_999))).toHaveLength(100_000);
  expect(DRIVER_METHODS['console.split'].result.safeParse(Array(100_001).fill({ text: '', start: 0, end: 0 })).success).toBe(
    false,
  );
  await session.close();
});

it('a text as long as the host takes, all of it characters that JSON escapes, harms no driver', async () => {
  const processes = await bench.processes();
  const session = await processes.connect({ driver: await bench.driver(SOURCE), settings: { host: 'h' }, files: {}, signal });
  const longest = '\u0001'.repeat(16 * 1024 * 1024);
  const error: unknown = await Promise.resolve(session.console?.split(longest)).catch((thrown: unknown) => thrown);
  if (!Array.isArray(error))
    expect(error).toMatchObject({
      name: 'DriverError',
      code: expect.stringMatching(/^(?:INVALID_INPUT|TOO_LARGE)$/) as string,
    });
  expect(await session.console?.split('a;b')).toHaveLength(2);
  await session.close();
});
