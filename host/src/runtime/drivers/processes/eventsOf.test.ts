import { DriverError } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { eventsOf } from './eventsOf.ts';

/** The outcomes that a driver reports for four rows. */
async function outcomesOf(...events: readonly object[]): Promise<readonly unknown[]> {
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const event of events) yield new TextEncoder().encode(`${JSON.stringify(event)}\n`);
  }
  const fault = (reason: string): DriverError => new DriverError('DRIVER_FAULT', reason);
  return Array.fromAsync(eventsOf('import.write', body(), 1_000, { rows: 0, changes: 4 }, fault));
}
const written = { outcome: 'written' };
const rejected = { outcome: 'rejected', message: 'no' };

it('takes outcomes of many written rows, and never of more rows than the driver was given', async () => {
  const right = [{ outcome: 'written', rows: 2 }, rejected, written];
  expect(await outcomesOf(...right)).toEqual(right);
  await expect(outcomesOf({ outcome: 'written', rows: 5 })).rejects.toThrow('it reported row 5, and was given 4');
  await expect(outcomesOf(written, { outcome: 'written', rows: 3 }, rejected)).rejects.toThrow('it reported row 5');
});

it.each([0, -1, 1.5, '2', null, [], 2 ** 60])('refuses an outcome of %j written rows', async (rows) => {
  await expect(outcomesOf({ outcome: 'written', rows })).rejects.toThrow(DriverError);
});

it('refuses an event of more values than the host parses in a moment', async () => {
  const line = new TextEncoder().encode(`{"type":"rows","rows":[${'[],'.repeat(2_100_000)}[]]}\n`);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield line;
  }
  const fault = (reason: string): DriverError => new DriverError('DRIVER_FAULT', reason);
  const events = eventsOf('export.rows', body(), line.length, { rows: Infinity, changes: 0 }, fault);
  await expect(Array.fromAsync(events)).rejects.toThrow('more than 2000000 values');
});
