import { expect, it } from 'vitest';
import type { ChangeOutcome, EditsFacet, RowChange } from '@tabularium/sdk';
import { wholeCharacters } from './wholeCharacters.ts';

const HALF = '\ud83d';
const TABLE = { namespace: [], name: 'books' };
const { signal } = new AbortController();
const insert = (value: string): RowChange => ({ kind: 'insert', values: [{ column: 'title', value }] });

/** Takes every change, and remembers it. */
function edits(atomicity: EditsFacet['atomicity'], seen: RowChange[][]): EditsFacet {
  return wholeCharacters({
    atomicity,
    prepare: async (_table, changes) => {
      seen.push([...changes]);
      return changes.map((change) => ({ ready: true, text: JSON.stringify(change), language: 'json' }));
    },
    async *apply(_table, changes) {
      seen.push([...changes]);
      for (const index of changes.keys()) yield { index, outcome: 'saved' };
    },
  });
}

const applied = async (facet: EditsFacet, changes: readonly RowChange[]): Promise<readonly ChangeOutcome[]> =>
  Array.fromAsync(facet.apply(TABLE, changes, { signal }));
const HALVES: readonly (readonly [string, RowChange, string | undefined])[] = [
  ['a text of a new row', insert(`a${HALF}`), 'title'],
  ['a tagged text', { kind: 'insert', values: [{ column: 'title', value: ['text', HALF] }] }, 'title'],
  ['a changed cell', { kind: 'update', key: [1], assignments: [{ column: 'title', value: HALF }] }, 'title'],
  ['the key of a changed row', { kind: 'update', key: [HALF], assignments: [{ column: 'title', value: 'a' }] }, undefined],
  ['the key of a deleted row', { kind: 'delete', key: [1, HALF] }, undefined],
];

it.each(HALVES)('refuses half a character in %s before the driver sees it', async (_where, change, column) => {
  const seen: RowChange[][] = [];
  const facet = edits('each', seen);
  const refused = {
    message: expect.stringContaining('half of a character') as string,
    ...(column === undefined ? {} : { column }),
  };
  const prepared = await facet.prepare(TABLE, [insert('a💥'), change, insert('b')], { signal });
  expect(prepared).toEqual([
    expect.objectContaining({ ready: true }),
    { ready: false, ...refused },
    expect.objectContaining({ ready: true, text: JSON.stringify(insert('b')) }),
  ]);
  expect(await applied(facet, [insert('a💥'), change, insert('b')])).toEqual([
    expect.objectContaining({ index: 1, outcome: 'failed', code: 'INVALID_INPUT', ...refused }),
    { index: 0, outcome: 'saved' },
    { index: 2, outcome: 'saved' },
  ]);
  expect(seen.flat()).not.toContain(change);
});

it('makes no change of a call that has one, where all are made or none', async () => {
  const seen: RowChange[][] = [];
  const outcomes = await applied(edits('all', seen), [insert('a'), insert(HALF), insert('b')]);
  expect(outcomes).toMatchObject([{ index: 1, outcome: 'failed', column: 'title' }]);
  expect(seen).toEqual([]);
});
