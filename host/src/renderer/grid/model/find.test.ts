import { ABSENT } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { MOST_MATCHES, findIn, nextMatch } from './find.ts';
import type { GridColumn } from './gridColumns.ts';
import type { GridRow } from './gridPage.ts';
import { PageCache } from './pageCache.ts';
import { readRows } from './rowSource.ts';
import type { RowSource } from './rowSource.ts';
import { selectAll, selectColumn } from './selection.ts';
import { summaryOf } from './selectionSummary.ts';

const column = (name: string, source: number, more: Partial<GridColumn> = {}): GridColumn => ({
  name,
  source,
  kind: 'text',
  type: 'string',
  sortable: { allowed: true },
  isKey: false,
  alignEnd: false,
  width: 100,
  ...more,
});
// On the screen the columns have another order than in a row.
const COLUMNS = [
  column('price', 1, { kind: 'decimal', isQuantity: true }),
  column('at', 2, { kind: 'integer', dateUnit: 'seconds' }),
  column('name', 0),
];

const NEW: GridRow = ['New lamp', '0.5', null];

async function sourceOf(rows: readonly GridRow[]): Promise<RowSource> {
  const cache = new PageCache({
    paging: 'offset',
    pageSize: 100,
    count: { rows: rows.length, exact: true },
    columns: ['name', 'price', 'at'],
    load: async (position, limit) => {
      const offset = position.from === 'offset' ? position.offset : 0;
      return {
        head: { rowCount: 0, atEnd: offset + limit >= rows.length, droppedSorts: [], milliseconds: 1 },
        batch: {
          columns: ['name', 'price', 'at'].map((name) => ({ name, kind: 'text' })),
          rows: rows.slice(offset, offset + limit),
        },
      };
    },
  });
  const source: RowSource = {
    cache,
    above: 1,
    rowAt: (index) =>
      index === 0 ? { base: undefined, staged: undefined, row: NEW } : source.staged(cache.row(index - 1) ?? []),
    staged: (base) => ({ base, staged: undefined, row: base }),
  };
  return source;
}

const read = async (source: RowSource, first: number, last: number): Promise<number[]> => {
  const indexes: number[] = [];
  for await (const rows of readRows(source, [{ first, last }], new AbortController().signal))
    indexes.push(...rows.map(({ index }) => index));
  return indexes;
};

const ROWS: readonly GridRow[] = [
  ['Oak lamp', '9007199254740993', 1_700_000_000],
  ['Desk', '1.5', null],
  ['LAMP shade', ABSENT, 3],
];

describe('finding', () => {
  it('looks through the rows that are here, new ones included, and not through others', async () => {
    const source = await sourceOf(ROWS);
    expect(findIn('lamp', false, COLUMNS, source).matches).toEqual([{ row: 0, column: 2 }]);
    await read(source, 0, 3);
    const found = findIn('lamp', false, COLUMNS, source);
    expect(found.matches).toEqual([0, 1, 3].map((row) => ({ row, column: 2 })));
    expect(found.byRow.get(3)).toBe('2-2');
    expect(findIn('lamp', true, COLUMNS, source).matches).toHaveLength(2);
  });

  it('finds digits and dates, and nothing in nothing', async () => {
    const source = await sourceOf(ROWS);
    await read(source, 0, 3);
    expect(findIn('40993', false, COLUMNS, source).matches).toEqual([{ row: 1, column: 0 }]);
    expect(findIn('2023-11', false, COLUMNS, source).matches).toEqual([{ row: 1, column: 1 }]);
    expect(findIn('', false, COLUMNS, source).matches).toEqual([]);
  });

  it('stops when the search is abandoned', async () => {
    const source = await sourceOf(Array.from({ length: MOST_MATCHES + 1 }, () => ['a', null, null]));
    await read(source, 0, MOST_MATCHES + 1);
    const found = findIn('a', false, COLUMNS, source);
    expect(found.isCut).toBe(true);
    expect(found.matches).toHaveLength(MOST_MATCHES);
  });

  it('goes from match to match, round at the ends', () => {
    const matches = [
      { row: 1, column: 0 },
      { row: 1, column: 2 },
      { row: 5, column: 1 },
    ];
    expect(nextMatch(matches, { row: 1, column: 0 }, false)).toEqual(matches[1]);
    expect(nextMatch(matches, { row: 1, column: 1 }, true)).toEqual(matches[0]);
    expect(nextMatch(matches, { row: 9, column: 0 }, false)).toEqual(matches[0]);
    expect(nextMatch(matches, { row: 0, column: 0 }, true)).toEqual(matches[2]);
    expect(nextMatch(matches, undefined, false)).toEqual(matches[0]);
    expect(nextMatch([], undefined, false)).toBeUndefined();
  });
});

describe('reading rows', () => {
  it('gives new rows first, then those of the table', async () => {
    expect(await read(await sourceOf(ROWS), 0, 3)).toEqual([0, 1, 2, 3]);
    expect(await read(await sourceOf(ROWS), 2, 9)).toEqual([2, 3]);
  });
});

describe('a summary', () => {
  it('adds the numbers up that are here, and says how many cells there are in all', async () => {
    const source = await sourceOf(ROWS);
    const size = { rows: 1_001, columns: 3 };
    const prices = selectColumn(0, 0).ranges;
    expect(summaryOf(prices, size, COLUMNS, source)).toMatchObject({ cells: 1_001, loaded: 1, numbers: { sum: '0.5' } });
    await read(source, 0, 3);
    expect(summaryOf(prices, size, COLUMNS, source)).toEqual({
      cells: 1_001,
      loaded: 4,
      isAll: false,
      shape: { rows: 1_001, columns: 1 },
      numbers: {
        count: 3,
        sum: '9007199254740995',
        average: '3002399751580331.666667',
        least: '0.5',
        greatest: '9007199254740993',
      },
    });
    const at = summaryOf(selectColumn(1, 0).ranges, size, COLUMNS, source);
    expect(at).not.toHaveProperty('numbers');
    expect(summaryOf(selectAll({ row: 0, column: 0 }).ranges, size, COLUMNS, source).isAll).toBe(true);
  });
});
