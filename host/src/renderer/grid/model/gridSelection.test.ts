import { describe, expect, it } from 'vitest';
import { NOTHING_SELECTED, changedSelection } from './gridSelection.ts';
import type { SelectionChange, SelectionState } from './gridSelection.ts';
import { HEADER_ROW } from './navigation.ts';
import type { CellPosition } from './navigation.ts';

const at = (row: number, column: number): CellPosition => ({ row, column });
const cell = (row: number, column: number, mode: 'new' | 'extend' | 'add' = 'new'): SelectionChange => ({
  to: 'cell',
  position: at(row, column),
  mode,
});
const after = (...changes: readonly SelectionChange[]): SelectionState => changes.reduce(changedSelection, NOTHING_SELECTED);
const TO_END = Number.POSITIVE_INFINITY;

describe('the selection of a grid', () => {
  it('extends from the active cell, which stays where it is', () => {
    const state = after(cell(3, 1), cell(5, 2, 'extend'), cell(2, 2, 'extend'));
    expect(state.active).toEqual(at(3, 1));
    expect(state.selection).toMatchObject({ ranges: [{ top: 2, bottom: 3, left: 1, right: 2 }], lead: at(2, 2) });
  });

  it('adds a range, and extends only that one', () => {
    const state = after(cell(0, 0), cell(4, 1, 'add'), cell(6, 1, 'extend'));
    expect(state.active).toEqual(at(4, 1));
    expect(state.selection?.ranges).toEqual([
      { top: 0, bottom: 0, left: 0, right: 0 },
      { top: 4, bottom: 6, left: 1, right: 1 },
    ]);
  });

  it('selects nothing in the header', () => {
    expect(after(cell(3, 1), cell(HEADER_ROW, 2))).toEqual({ active: at(HEADER_ROW, 2), selection: undefined });
    expect(after(cell(HEADER_ROW, 2), cell(4, 0, 'extend')).selection?.ranges).toEqual([
      { top: 4, bottom: 4, left: 0, right: 0 },
    ]);
  });

  it('selects whole rows in the column that is active, and a stretch of them from there', () => {
    const one = after(cell(3, 2), { to: 'row', row: 5, mode: 'new' });
    expect(one.active).toEqual(at(5, 2));
    expect(one.selection?.ranges).toEqual([{ top: 5, bottom: 5, left: 0, right: TO_END }]);
    const stretch = changedSelection(one, { to: 'row', row: 8, mode: 'extend' });
    expect(stretch.selection?.ranges).toEqual([{ top: 5, bottom: 8, left: 0, right: TO_END }]);
    const fromCell = after(cell(3, 2), { to: 'row', row: 4, mode: 'extend' });
    expect(fromCell.selection?.ranges).toEqual([{ top: 3, bottom: 4, left: 0, right: TO_END }]);
  });

  it('takes a whole row out again', () => {
    const state = after(
      { to: 'row', row: 5, mode: 'new' },
      { to: 'row', row: 7, mode: 'add' },
      { to: 'row', row: 5, mode: 'add' },
    );
    expect(state.selection?.ranges).toEqual([{ top: 7, bottom: 7, left: 0, right: TO_END }]);
  });

  it('selects whole columns from the row that is active, also where that is the header', () => {
    const state = after(
      cell(HEADER_ROW, 1),
      { to: 'column', column: 1, mode: 'new' },
      { to: 'column', column: 3, mode: 'extend' },
    );
    expect(state.active).toEqual(at(0, 1));
    expect(state.selection?.ranges).toEqual([{ top: 0, bottom: TO_END, left: 1, right: 3 }]);
  });

  it('selects everything and keeps the active cell', () => {
    const everything = { top: 0, bottom: TO_END, left: 0, right: TO_END };
    expect(after({ to: 'all' })).toMatchObject({ active: at(0, 0), selection: { ranges: [everything] } });
    expect(after(cell(3, 1), { to: 'all' })).toMatchObject({ active: at(3, 1), selection: { ranges: [everything] } });
  });

  it('moves the active cell within the range, and goes back to it alone', () => {
    const range = after(cell(3, 1), cell(4, 2, 'extend'));
    const moved = changedSelection(range, { to: 'active', position: at(4, 1) });
    expect(moved.active).toEqual(at(4, 1));
    expect(moved.selection?.ranges).toEqual(range.selection?.ranges);
    expect(changedSelection(moved, { to: 'activeAlone' }).selection?.ranges).toEqual([{ top: 4, bottom: 4, left: 1, right: 1 }]);
  });

  it('stays with its rows when new ones come above, and keeps only the active cell in another order', () => {
    const range = after(cell(3, 1), cell(4, 2, 'extend'));
    const shifted = changedSelection(range, { to: 'shifted', by: 2 });
    expect(shifted.selection?.ranges).toEqual([{ top: 5, bottom: 6, left: 1, right: 2 }]);
    expect(changedSelection(range, { to: 'reordered' })).toMatchObject({
      active: at(3, 1),
      selection: { ranges: [{ top: 3, bottom: 3, left: 1, right: 1 }] },
    });
  });

  it('goes to the first row with the rows of another order, and stays in its column', () => {
    const range = changedSelection(NOTHING_SELECTED, { to: 'cell', position: at(999, 2), mode: 'new' });
    expect(changedSelection(range, { to: 'reordered', isOfRows: true })).toMatchObject({ active: at(0, 2) });
  });

  it('is the same object where there is nothing to change', () => {
    for (const change of [{ to: 'shifted', by: 2 }, { to: 'activeAlone' }, { to: 'active', position: at(1, 1) }] as const) {
      expect(changedSelection(NOTHING_SELECTED, change)).toBe(NOTHING_SELECTED);
    }
  });
});
