import { wholeText } from './cellText.ts';
import type { GridColumn } from './gridColumns.ts';
import { gridText } from './gridText.ts';
import type { CellPosition } from './navigation.ts';
import { presentRows } from './rowSource.ts';
import type { RowSource } from './rowSource.ts';

/** A person goes through no more matches than this. */
export const MOST_MATCHES = 10_000;

export interface Found {
  /** Row by row, and in a row from left to right. */
  readonly matches: readonly CellPosition[];
  readonly isCut: boolean;
  /** The columns of each row with matches, as `selectedInRow` writes them. */
  readonly byRow: ReadonlyMap<number, string>;
}

export const NOTHING_FOUND: Found = { matches: [], isCut: false, byRow: new Map() };

/** Looks through the cells of the rows that are here, by their whole values. */
export function findIn(text: string, matchCase: boolean, columns: readonly GridColumn[], source: RowSource): Found {
  if (text === '') return NOTHING_FOUND;
  const wanted = matchCase ? text : text.toLocaleLowerCase();
  const holds = (value: string): boolean => (matchCase ? value : value.toLocaleLowerCase()).includes(wanted);
  const matches: CellPosition[] = [];
  const byRow = new Map<number, string>();
  for (const { index, row } of presentRows(source)) {
    if (row === undefined) continue;
    let inRow = '';
    for (const [place, column] of columns.entries()) {
      const cell = row[column.source] ?? null;
      const isFound =
        holds(wholeText(cell, column.kind).text) ||
        ((column.dateUnit !== undefined || column.kind === 'geo') && holds(gridText(cell, column).text));
      if (!isFound) continue;
      if (matches.length === MOST_MATCHES) return { matches, isCut: true, byRow };
      matches.push({ row: index, column: place });
      inRow += `${inRow === '' ? '' : ' '}${place}-${place}`;
      byRow.set(index, inRow);
    }
  }
  return { matches, isCut: false, byRow };
}

/** The match after (or before) a cell, round at the end; the first one where no cell is active. */
export function nextMatch(
  matches: readonly CellPosition[],
  from: CellPosition | undefined,
  backwards: boolean,
): CellPosition | undefined {
  if (from === undefined) return backwards ? matches.at(-1) : matches[0];
  const order = (one: CellPosition): number => one.row - from.row || one.column - from.column;
  return backwards
    ? (matches.findLast((one) => order(one) < 0) ?? matches.at(-1))
    : (matches.find((one) => order(one) > 0) ?? matches[0]);
}
