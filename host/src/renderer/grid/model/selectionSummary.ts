import { wholeText } from './cellText.ts';
import { DecimalSum } from './decimalSum.ts';
import type { NumberSummary } from './decimalSum.ts';
import type { GridColumn } from './gridColumns.ts';
import { presentRows } from './rowSource.ts';
import type { RowSource } from './rowSource.ts';
import { blockOf, cellCount, lengthOf, readSelected, selectedInRow } from './selection.ts';
import type { CellRange, SelectionSize } from './selection.ts';

/** The summary of a selection in the tab's footer. */
export interface SelectionSummary {
  readonly cells: number;
  /** Rows by columns, where it is a table. */
  readonly shape?: { readonly rows: number; readonly columns: number };
  /** Of the numbers among the cells that are loaded. */
  readonly numbers?: NumberSummary;
  /** How many of the cells are loaded. */
  readonly loaded: number;
  /** Whether all rows are selected, those that are not loaded included. */
  readonly isAll: boolean;
}

/** More cells than this are not looked at one by one: that would take longer than the 50 ms in which a window still feels instant. */
const MOST_SUMMED = 100_000;

export function summaryOf(
  ranges: readonly CellRange[],
  size: SelectionSize,
  columns: readonly GridColumn[],
  source: RowSource,
): SelectionSummary {
  const sum = new DecimalSum();
  // Most rows are selected alike, so what their text says is read once.
  const placesOf = new Map<string, readonly GridColumn[]>();
  let loaded = 0;
  for (const { index, row } of presentRows(source)) {
    const text = selectedInRow(ranges, index);
    if (text === undefined || row === undefined) continue;
    const chosen = placesOf.get(text) ?? columns.filter((_column, place) => isWithin(text, place));
    placesOf.set(text, chosen);
    loaded += chosen.length;
    if (loaded > MOST_SUMMED) continue;
    for (const { source: place, kind } of chosen) {
      const { tone, text: digits } = wholeText(row[place] ?? null, kind);
      if (tone === 'number') sum.add(digits);
    }
  }
  const block = blockOf(ranges, size);
  const numbers = loaded > MOST_SUMMED ? undefined : sum.summary();
  return {
    cells: cellCount(ranges, size),
    loaded,
    isAll: ranges.some(({ bottom, right }) => bottom === Number.POSITIVE_INFINITY && right === Number.POSITIVE_INFINITY),
    ...(block === undefined ? {} : { shape: { rows: lengthOf(block.rows), columns: block.columns.length } }),
    ...(numbers === undefined ? {} : { numbers }),
  };
}

const isWithin = (text: string, place: number): boolean =>
  readSelected(text).some(({ first, last }) => place >= first && place <= last);
