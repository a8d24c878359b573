import { DriverError } from '@tabularium/sdk';
import type { ImportFacet, RowOutcome, WriteOutcome } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { partOfText } from './partOfText.ts';
import { sendPart } from './sendPart.ts';

const never = new AbortController().signal;
const rejected: RowOutcome = { outcome: 'rejected', message: 'no' };

/** The outcomes of six rows, by their places, where the driver gives these. */
async function send(
  given: readonly WriteOutcome[],
  error?: Error,
): Promise<{ readonly found: string[]; readonly error: unknown }> {
  const part = await partOfText('{"a":1}\n'.repeat(6), { format: 'jsonl' }, [], never);
  const facet: Pick<ImportFacet, 'splice' | 'write'> = {
    splice: async () => undefined,
    async *write() {
      yield* given;
      if (error !== undefined) throw error;
    },
  };
  const found: string[] = [];
  const onWritten = (from: number, count: number): void => {
    for (let index = from; index < from + count; index += 1) found[index] = 'written';
  };
  try {
    await sendPart(
      {} as Parameters<typeof sendPart>[0],
      facet as ImportFacet,
      { table: { namespace: [], name: 't' }, mode: 'create' },
      part,
      (index, { outcome }) => void (found[index] = outcome),
      never,
      onWritten,
    );
    return { found, error: undefined };
  } catch (caught) {
    return { found, error: caught };
  }
}

it('counts written rows that come together and others in their order', async () => {
  const { found, error } = await send([
    { outcome: 'written' },
    { outcome: 'written', rows: 2 },
    rejected,
    { outcome: 'written', rows: 1 },
    rejected,
  ]);
  expect(error).toBeUndefined();
  expect(found).toEqual(['written', 'written', 'written', 'rejected', 'written', 'rejected']);
});

it('counts rows that were written before an error', async () => {
  const { found, error } = await send([{ outcome: 'written', rows: 4 }], new DriverError('CONNECTION_LOST', 'gone'));
  expect(error).toMatchObject({ code: 'CONNECTION_LOST', message: 'gone' });
  expect(found).toEqual(['written', 'written', 'written', 'written']);
});

it.each([
  ['more', [{ outcome: 'written', rows: 7 }], 'BAD_ANSWER'],
  ['fewer', [{ outcome: 'written', rows: 5 }], 'CONNECTION_LOST'],
] as const)('refuses outcomes of %s rows than were sent', async (_name, given, code) => {
  expect((await send(given)).error).toMatchObject({ code });
});
