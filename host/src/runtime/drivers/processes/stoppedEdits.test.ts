import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EditsFacet } from '@tabularium/sdk';
import type { StoppableOptions } from './stoppableOptions.ts';
import { driverSource, ProcessBench } from './processes.test-helper.ts';

const signal = new AbortController().signal;
const table = { namespace: [], name: 't' };

let bench: ProcessBench;
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());

/** It makes one change, and waits in the second until it is cancelled. */
const EDITS = `
  edits: {
    atomicity: 'each',
    async prepare() { return []; },
    async *apply(_table, changes, { signal }) {
      yield { index: 0, outcome: 'saved' };
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield { index: 1, outcome: 'failed', code: 'CANCELLED', message: 'Rolled back after ' + changes.length + ' changes.', details: {} };
    },
  },`;

it('a driver that is asked to stop still reports its last outcomes', async () => {
  const processes = await bench.processes();
  const session = await processes.connect({ driver: await bench.driver(driverSource(EDITS)), settings: {}, files: {}, signal });
  const edits: EditsFacet | undefined = session.edits;
  const changes = [1, 2].map((id) => ({ kind: 'delete' as const, key: [id] }));
  for (const isLarge of [false, true]) {
    const stop = new AbortController();
    const options: StoppableOptions = { signal, stop: stop.signal };
    const sent = isLarge
      ? [...changes, { kind: 'insert' as const, values: [{ column: 'a', value: 'x'.repeat(2_000_000) }] }]
      : changes;
    const outcomes: unknown[] = [];
    for await (const outcome of edits?.apply(table, sent, options) ?? []) {
      outcomes.push(outcome);
      stop.abort();
    }
    expect(outcomes).toMatchObject([
      { index: 0, outcome: 'saved' },
      { index: 1, outcome: 'failed', code: 'CANCELLED', message: `Rolled back after ${sent.length} changes.` },
    ]);
  }
  const stopped: StoppableOptions = { signal, stop: AbortSignal.abort() };
  expect(await Array.fromAsync(edits?.apply(table, changes, stopped) ?? [])).toEqual([]);
  await session.close();
});
