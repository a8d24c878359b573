import { describe, expect, it } from 'vitest';
import {
  addCell,
  blockOf,
  cellCount,
  extendTo,
  isMultiple,
  lengthOf,
  nextWithin,
  readSelected,
  rowsIn,
  selectAll,
  selectCell,
  selectColumn,
  selectRow,
  selectedInRow,
  shiftedRows,
  toggleColumn,
  toggleRow,
  withActive,
} from './selection.ts';

const SIZE = { rows: 1_000_000, columns: 5 };
const at = (row: number, column: number) => ({ row, column });

describe('ranges', () => {
  it('grow from the anchor, in every direction', () => {
    const down = extendTo(selectCell(at(3, 2)), at(5, 4));
    expect(down.ranges).toEqual([{ top: 3, bottom: 5, left: 2, right: 4 }]);
    expect(extendTo(down, at(1, 0)).ranges).toEqual([{ top: 1, bottom: 3, left: 0, right: 2 }]);
    expect(extendTo(down, at(1, 0)).anchor).toEqual(at(3, 2));
  });

  it('are one cell until they are extended', () => {
    expect(isMultiple(selectCell(at(1, 1)))).toBe(false);
    expect(isMultiple(extendTo(selectCell(at(1, 1)), at(1, 2)))).toBe(true);
    expect(isMultiple(addCell(selectCell(at(1, 1)), at(9, 0)))).toBe(true);
  });

  it('of rows stay whole rows when they are extended, and of columns whole columns', () => {
    expect(blockOf(extendTo(selectRow(2, 1), at(4, 0)).ranges, SIZE)).toEqual({
      rows: [{ first: 2, last: 4 }],
      columns: [0, 1, 2, 3, 4],
    });
    expect(blockOf(extendTo(selectColumn(1, 0), at(7, 2)).ranges, SIZE)).toEqual({
      rows: [{ first: 0, last: 999_999 }],
      columns: [1, 2],
    });
  });

  it('take rows in and out one by one', () => {
    const three = toggleRow(toggleRow(selectRow(2, 0), 9, 0), 4, 0);
    expect(rowsIn(three.ranges, SIZE)).toEqual([
      { first: 2, last: 2 },
      { first: 4, last: 4 },
      { first: 9, last: 9 },
    ]);
    expect(rowsIn(toggleRow(three, 4, 0).ranges, SIZE)).toEqual([
      { first: 2, last: 2 },
      { first: 9, last: 9 },
    ]);
    const middle = toggleRow(extendTo(selectRow(2, 0), at(6, 0)), 4, 0);
    expect(rowsIn(middle.ranges, SIZE)).toEqual([
      { first: 2, last: 3 },
      { first: 5, last: 6 },
    ]);
    expect(isMultiple(toggleRow(selectRow(2, 1), 2, 1))).toBe(false);
  });

  it('take columns in and out', () => {
    const two = toggleColumn(selectColumn(1, 0), 3, 0);
    expect(blockOf(two.ranges, SIZE)?.columns).toEqual([1, 3]);
    expect(blockOf(toggleColumn(two, 1, 0).ranges, SIZE)?.columns).toEqual([3]);
  });

  it("aren't a table if they share neither rows nor columns", () => {
    const apart = extendTo(addCell(extendTo(selectCell(at(0, 0)), at(1, 1)), at(5, 3)), at(6, 4));
    expect(blockOf(apart.ranges, SIZE)).toBeUndefined();
    expect(blockOf(addCell(selectCell(at(0, 2)), at(7, 2)).ranges, SIZE)).toEqual({
      rows: [
        { first: 0, last: 0 },
        { first: 7, last: 7 },
      ],
      columns: [2],
    });
    expect(blockOf([], SIZE)).toBeUndefined();
  });

  it('of everything are as many as there are, whatever comes', () => {
    const all = selectAll(at(0, 0));
    expect(lengthOf(rowsIn(all.ranges, SIZE))).toBe(1_000_000);
    expect(lengthOf(rowsIn(all.ranges, { rows: 3, columns: 2 }))).toBe(3);
  });

  it('stay with their rows when rows come above', () => {
    const moved = shiftedRows(extendTo(selectCell(at(3, 1)), at(5, 2)), 2);
    expect(moved.ranges).toEqual([{ top: 5, bottom: 7, left: 1, right: 2 }]);
    expect(moved.anchor).toEqual(at(5, 1));
    expect(shiftedRows(selectColumn(1, 3), 2).ranges).toEqual(selectColumn(1, 3).ranges);
  });
});

describe('counting', () => {
  it('counts a cell once that lies in two ranges', () => {
    const crossing = extendTo(addCell(extendTo(selectCell(at(0, 0)), at(2, 2)), at(1, 1)), at(3, 3));
    expect(cellCount(crossing.ranges, SIZE)).toBe(9 + 9 - 4);
    expect(cellCount(selectAll(at(0, 0)).ranges, SIZE)).toBe(5_000_000);
    expect(cellCount([], SIZE)).toBe(0);
  });
});

describe('a row', () => {
  it('lists its selected columns', () => {
    const two = addCell(extendTo(selectCell(at(0, 1)), at(2, 3)), at(1, 0)).ranges;
    expect(readSelected(selectedInRow(two, 1))).toEqual([
      { first: 1, last: 3 },
      { first: 0, last: 0 },
    ]);
    expect(selectedInRow(two, 0)).toBe(selectedInRow(two, 2));
    expect(selectedInRow(two, 3)).toBeUndefined();
    expect(readSelected(selectedInRow(selectRow(4, 0).ranges, 4))).toEqual([{ first: 0, last: Number.POSITIVE_INFINITY }]);
    expect(readSelected(undefined)).toEqual([]);
  });
});

describe('Tab and Enter within a range', () => {
  const range = extendTo(selectCell(at(1, 1)), at(2, 2));
  const walk = (key: 'Tab' | 'Enter', backwards: boolean): string[] => {
    const seen: string[] = [];
    let now = range;
    for (let turn = 0; turn < 4; turn += 1) {
      const next = nextWithin(now, key, backwards, SIZE);
      if (next === undefined) throw new Error('There is no next cell.');
      seen.push(`${next.row},${next.column}`);
      now = withActive(now, next);
    }
    return seen;
  };

  it('go along the rows and down the columns, round at the end, and back with Shift', () => {
    expect(walk('Tab', false)).toEqual(['1,2', '2,1', '2,2', '1,1']);
    expect(walk('Enter', false)).toEqual(['2,1', '1,2', '2,2', '1,1']);
    expect(walk('Tab', true)).toEqual(['2,2', '2,1', '1,2', '1,1']);
  });
});
