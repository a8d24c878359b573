import { NO_FILTER } from '@tabularium/sdk';
import type { PageRequest } from '@tabularium/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driverBatch } from '../../host/src/runtime/data/driverBatch.ts';
import { driverSource, ProcessBench } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';

// The host parses what a driver sends on its own event loop, so more than was asked for is refused before.

const signal = new AbortController().signal;
let bench: ProcessBench;
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());

const request: PageRequest = {
  table: { namespace: [], name: 't' },
  filter: NO_FILTER,
  sorts: [],
  position: { from: 'start' },
  limit: 2,
};

/** @param bytes - an expression for the batch */
async function pageOf(rowCount: number, bytes: string): Promise<Uint8Array> {
  const driver = await bench.driver(
    driverSource(
      `async readPage() { return { rowCount: ${rowCount}, atEnd: true, droppedSorts: [], batch: ${bytes} }; },
       rows: { async read() { return { batch: ${bytes} }; } },`,
      'const encode = (text) => new TextEncoder().encode(text);',
    ),
  );
  const processes = await bench.processes();
  const session = await processes.connect({ driver, settings: {}, files: {}, signal });
  return (await session.readPage(request, { signal })).batch;
}

describe('a page of a driver', () => {
  it.each([
    ['20 million rows where its head says one', 1, `encode('{"columns":[],"rows":[' + '[],'.repeat(20e6) + '[]]}')`],
    ['more rows than were asked for', 3, `encode('{"columns":[],"rows":[[],[],[]]}')`],
    ['a row of 20 million values', 1, `encode('{"columns":[],"rows":[[' + '1,'.repeat(20e6) + '1]]}')`],
    ['20 million lists in a value', 1, `encode('{"columns":[],"rows":[[[' + '[],'.repeat(20e6) + '[]]]]}')`],
    ['bytes that are not UTF-8', 1, 'Uint8Array.of(0x22, 0xff, 0x22)'],
    ['a long text without an end', 1, `encode('{"columns":[],"rows":[["' + 'a'.repeat(2e6))`],
  ])('with %s ends the driver, before the page is parsed', async (_what, rowCount, bytes) => {
    await expect(pageOf(rowCount, bytes)).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
  });

  it('of rows by their keys has no more rows than keys allow', async () => {
    const driver = await bench.driver(
      driverSource(
        `rows: { async read() { return { batch: new TextEncoder().encode('{"columns":[],"rows":[' + '[],'.repeat(20e6) + '[]]}') }; } },`,
      ),
    );
    const session = await (await bench.processes()).connect({ driver, settings: {}, files: {}, signal });
    expect(session.rows).toBeDefined();
    await expect(session.rows?.read({ table: request.table, keys: [['1']] }, { signal })).rejects.toMatchObject({
      code: 'DRIVER_FAULT',
    });
  });

  it("that isn't JSON is blamed on the driver", async () => {
    const batch = await pageOf(1, `encode('{"columns":[],"rows":[[nothing]]}')`);
    expect(() => driverBatch(batch)).toThrow(expect.objectContaining({ code: 'DRIVER_FAULT' }) as Error);
  });
});
