// A driver that behaves, until it is asked for a table of a certain name.

import { readSync, writeSync } from 'node:fs';

process.on('SIGTERM', () => undefined);
process.on('SIGINT', () => undefined);

const kept = [];
const empty = { rowCount: 0, atEnd: true, droppedSorts: [], batch: new TextEncoder().encode('{"columns":[],"rows":[]}') };
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

const behaviours = {
  /** Blocks as a synchronous read of a pipe does, for ever or for as long as a hard computation. */
  readsLog() {
    readSync(2, Buffer.alloc(1));
  },
  computes() {
    const end = performance.now() + 500;
    while (performance.now() < end);
  },
  heap() {
    for (;;) kept.push(new Array(100_000).fill(Math.random()));
  },
  async buffers() {
    for (;;) {
      kept.push(Buffer.alloc(20_000_000, 1));
      await pause();
    }
  },
  buffersWithoutPause() {
    for (;;) kept.push(Buffer.alloc(20_000_000, 1));
  },
  async webAssembly() {
    for (;;) {
      const memory = new WebAssembly.Memory({ initial: 320 });
      new Uint8Array(memory.buffer).fill(1);
      kept.push(memory);
      await pause();
    }
  },
  never: () => new Promise(() => undefined),
  /** Answers, and then blocks for ever although nothing is asked. */
  busyLater() {
    setTimeout(() => {
      for (;;);
    }, 50);
  },
  busy() {
    for (;;);
  },
  exit() {
    process.exit(5);
  },
  throwLater() {
    setTimeout(() => {
      throw new Error('thrown where nobody catches it');
    }, 1);
    return new Promise(() => undefined);
  },
  async rejectLater() {
    void Promise.reject(new Error('rejected where nobody listens'));
    return new Promise(() => undefined);
  },
  async chatter() {
    for (let index = 0; index < 200_000; index += 1) writeSync(2, 'x'.repeat(200) + '\n');
    return empty;
  },
};

export const driver = {
  $$type: '@tabularium/driver',
  contract: '1.0.0',
  definition: {
    id: 'fixture',
    async connect(settings, context) {
      return {
        server: { product: 'Greedy' },
        findings: [],
        async ping() {},
        async listTables() {
          return [];
        },
        async describeTable(ref) {
          return { ref, kind: 'table', columns: [], key: [], paging: 'offset', readsFromEnd: false, notes: [] };
        },
        async readPage(request) {
          await behaviours[request.table.name]?.();
          return empty;
        },
        async countRows() {
          return { rows: process.pid, exact: true };
        },
        async close() {},
        edits: {
          atomicity: 'each',
          prepare: async () => [],
          async *apply() {
            for (let index = 0; ; index += 1) yield { index: index % 2, outcome: 'saved' };
          },
        },
        console: {
          split: () => [],
          classify: async () => ({ effect: 'read', tables: [], summary: '' }),
          async *run(statement, { signal }) {
            const answer = await context.http.request({ method: 'GET', path: '/endless' });
            yield { type: 'rowsBegin', columns: [{ name: 'a', kind: 'text' }] };
            for await (const chunk of answer.body) {
              yield { type: 'rows', rows: [[String(chunk.length)]] };
              if (statement === 'waits') await new Promise((resolve) => signal.addEventListener('abort', resolve));
              else behaviours[statement]?.();
            }
          },
        },
      };
    },
  },
};
