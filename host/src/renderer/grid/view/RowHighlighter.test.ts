import { describe, expect, it } from 'vitest';
import { NOTHING_SELECTED } from '../model/gridSelection.ts';
import type { SelectionState } from '../model/gridSelection.ts';
import { addCell, extendTo, selectCell } from '../model/selection.ts';
import type { Selection } from '../model/selection.ts';
import { RowHighlighter } from './RowHighlighter.ts';

const NOTHING_FOUND = { inRow: () => undefined, current: undefined };
const state = (selection: Selection): SelectionState => ({ active: selection.anchor, selection });
const range = extendTo(selectCell({ row: 2, column: 1 }), { row: 4, column: 3 });

describe('the highlights of rows', () => {
  it('mark the active cell alone without a selection beside it', () => {
    const of = new RowHighlighter().of(state(selectCell({ row: 2, column: 1 })), NOTHING_FOUND);
    expect(of(2)).toMatchObject({ activeColumn: 1, leadColumn: undefined, selected: undefined });
    expect(of(3)).toMatchObject({ activeColumn: undefined, selected: undefined });
  });

  it('mark the columns of a range in each of its rows, and its lead in one', () => {
    const of = new RowHighlighter().of(state(range), NOTHING_FOUND);
    expect(of(2)).toMatchObject({ activeColumn: 1, selected: '1-3' });
    expect(of(4)).toMatchObject({ activeColumn: undefined, leadColumn: 3, selected: '1-3' });
    expect(of(5).selected).toBeUndefined();
    const added = new RowHighlighter().of(state(addCell(range, { row: 3, column: 0 })), NOTHING_FOUND);
    expect(added(3)).toMatchObject({ activeColumn: 0, leadColumn: undefined, selected: '1-3 0-0' });
  });

  it('mark the matches, and the one that is current', () => {
    const found = { inRow: (row: number) => (row === 7 ? '2-2' : undefined), current: { row: 7, column: 2 } };
    const of = new RowHighlighter().of(NOTHING_SELECTED, found);
    expect(of(7)).toMatchObject({ found: '2-2', foundNow: 2 });
    expect(of(6)).toMatchObject({ found: undefined, foundNow: undefined });
  });

  it('are the same object while a row looks the same, so that it does not render again', () => {
    const highlighter = new RowHighlighter();
    const before = highlighter.of(state(range), NOTHING_FOUND);
    const after = highlighter.of(state(extendTo(range, { row: 5, column: 3 })), NOTHING_FOUND);
    expect([2, 3, 9].map((row) => after(row) === before(row))).toEqual([true, true, true]);
    expect([4, 5].map((row) => after(row) === before(row))).toEqual([false, false]);
    for (let row = 0; row < 2_000; row += 1) highlighter.of(state(selectCell({ row: 1, column: row })), NOTHING_FOUND)(1);
    expect(highlighter.of(state(range), NOTHING_FOUND)(2)).toEqual(before(2));
  });
});
