import { shownText, wholeText } from './cellText.ts';
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
  /** Of the quantities among the cells that are loaded. */
  readonly numbers?: NumberSummary;
  /** The ends of one column whose numbers aren't quantities, such as years or moments, where nothing is summed. */
  readonly ends?: { readonly least: string; readonly greatest: string };
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
  const others = new Map<GridColumn, DecimalSum>();
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
    for (const column of chosen) {
      const { tone, text: digits } = wholeText(row[column.source] ?? null, column.kind);
      if (tone !== 'number') continue;
      if (column.isQuantity === true) sum.add(digits);
      else {
        const other = others.get(column) ?? new DecimalSum();
        others.set(column, other);
        other.add(digits);
      }
    }
  }
  const block = blockOf(ranges, size);
  const isSummed = loaded <= MOST_SUMMED;
  const numbers = isSummed ? sum.summary() : undefined;
  const ends = isSummed && numbers === undefined ? endsOf(others) : undefined;
  return {
    cells: cellCount(ranges, size),
    loaded,
    isAll: ranges.some(({ bottom, right }) => bottom === Number.POSITIVE_INFINITY && right === Number.POSITIVE_INFINITY),
    ...(block === undefined ? {} : { shape: { rows: lengthOf(block.rows), columns: block.columns.length } }),
    ...(numbers === undefined ? {} : { numbers }),
    ...(ends === undefined ? {} : { ends }),
  };
}

/** The ends of the only column there is, as its cells show them. */
function endsOf(others: ReadonlyMap<GridColumn, DecimalSum>): SelectionSummary['ends'] {
  const [only, second] = others;
  if (only === undefined || second !== undefined) return undefined;
  const [{ kind, dateUnit }, sum] = only;
  const numbers = sum.summary();
  if (numbers === undefined || numbers.count < 2) return undefined;
  const shown = (digits: string): string => shownText(['number', digits], kind, dateUnit).text;
  return { least: shown(numbers.least), greatest: shown(numbers.greatest) };
}

const isWithin = (text: string, place: number): boolean =>
  readSelected(text).some(({ first, last }) => place >= first && place <= last);
