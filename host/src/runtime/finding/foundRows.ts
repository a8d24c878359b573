import { isUnread } from '@tabularium/sdk';
import type { PageBatch, PageCell } from '@tabularium/sdk';
import type { FoundCell, FoundRow } from '../../common/findingRows.ts';
import type { ComparedColumn } from './comparableColumns.ts';
import { plainly } from './textMarker.ts';
import type { MarkedText, TextMarker } from './textMarker.ts';

/** Cells of one row that are shown. */
const MOST_CELLS = 8;
/** Cells of a row whose match the host can't see, because the database compares otherwise. */
const MOST_PLAIN_CELLS = 3;
const MOST_KEY_CELLS = 8;

/** A row of a page as it is shown. */
export interface ShownRow {
  readonly row: FoundRow;
  /** The columns in which the text was seen. */
  readonly matched: readonly string[];
}

/** The rows of a page that a text was found in: the cells of their keys and those that hold the text, each cut. */
export function foundRows(
  { columns, rows }: PageBatch,
  {
    key,
    compared,
    most,
  }: { readonly key: readonly string[]; readonly compared: readonly ComparedColumn[]; readonly most: number },
  marker: TextMarker,
): readonly ShownRow[] {
  const placeOf = new Map(columns.map(({ name }, place) => [name, place]));
  return rows.slice(0, most).map((row): ShownRow => {
    const textOf = (name: string): string | undefined => {
      const place = placeOf.get(name);
      return place === undefined ? undefined : cellText(row[place]);
    };
    const cells = compared.flatMap(({ condition: { column }, as }) => {
      const text = textOf(column);
      return text === undefined ? [] : [{ column, as, text }];
    });
    const matches = matchesIn(cells, (text, as) => (as === 'number' ? marker.markNumber(text) : marker.mark(text)));
    const seen = matches.length > 0 ? matches : matchesIn(cells, (text) => marker.markWords(text));
    const shown =
      seen.length > 0 ? seen : cells.slice(0, MOST_PLAIN_CELLS).map(({ column, text }) => ({ column, parts: plainly(text) }));
    return {
      row: {
        key: key.slice(0, MOST_KEY_CELLS).flatMap((column) => {
          const text = textOf(column);
          return text === undefined ? [] : [{ column, parts: [...plainly(text)] }];
        }),
        cells: shown.slice(0, MOST_CELLS).map(({ column, parts }): FoundCell => ({ column, parts: [...parts] })),
        moreCells: Math.max(0, seen.length - MOST_CELLS),
      },
      matched: matches.map(({ column }) => column),
    };
  });
}

interface ComparedCell {
  readonly column: string;
  readonly as: ComparedColumn['as'];
  readonly text: string;
}

function matchesIn(
  cells: readonly ComparedCell[],
  mark: (text: string, as: ComparedColumn['as']) => MarkedText,
): readonly { readonly column: string; readonly parts: MarkedText['parts'] }[] {
  return cells.flatMap(({ column, as, text }) => {
    const { parts, isMatch } = mark(text, as);
    return isMatch ? [{ column, parts }] : [];
  });
}

/** A cell as text; undefined where it has none. A page from a driver's process may hold anything in a cell. */
function cellText(cell: PageCell | undefined): string | undefined {
  if (cell === null || cell === undefined) return undefined;
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  if (isUnread(cell)) return typeof cell[1]?.start === 'string' ? `${cell[1].start}…` : undefined;
  const text: unknown = Array.isArray(cell) ? cell[1] : undefined;
  return typeof text === 'string' ? text : undefined;
}
