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
  /** The comparisons whose columns were seen to hold the text, one for each of these columns. */
  readonly matched: readonly ComparedColumn[];
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
  const markValue: Mark = ({ by, text, isNumber }) => {
    if (by.as === 'number') return marker.markNumber(text);
    const marked = marker.mark(text);
    // A number among other values may be written in another spelling.
    return marked.isMatch || !isNumber ? marked : marker.markNumber(text);
  };
  return rows.slice(0, most).map((row): ShownRow => {
    const cells = compared.flatMap((by): readonly ComparedCell[] => {
      const place = placeOf.get(by.condition.column);
      if (place === undefined || isOfColumn(row[place], columns[place]?.kind)) return [];
      const text = cellText(row[place]);
      return text === undefined ? [] : [{ by, text, isNumber: isNumberCell(row[place]) }];
    });
    const matches = matchesIn(cells, markValue);
    const seen = matches.length > 0 ? matches : matchesIn(cells, ({ text }) => marker.markWords(text));
    const shown =
      seen.length > 0
        ? seen
        : firstOfColumns(cells)
            .slice(0, MOST_PLAIN_CELLS)
            .map(({ by, text }) => ({ by, parts: plainly(text) }));
    return {
      row: {
        key: key.slice(0, MOST_KEY_CELLS).flatMap((column) => {
          const place = placeOf.get(column);
          const text = place === undefined ? undefined : cellText(row[place]);
          return text === undefined ? [] : [{ column, parts: [...plainly(text)] }];
        }),
        cells: shown.slice(0, MOST_CELLS).map(({ by, parts }): FoundCell => ({ column: by.condition.column, parts: [...parts] })),
        moreCells: Math.max(0, seen.length - MOST_CELLS),
      },
      matched: matches.map(({ by }) => by),
    };
  });
}

interface ComparedCell {
  readonly by: ComparedColumn;
  readonly text: string;
  readonly isNumber: boolean;
}

type Mark = (cell: ComparedCell) => MarkedText;

/** The cells that hold the text, each by the first comparison of its column that finds it. */
function matchesIn(
  cells: readonly ComparedCell[],
  mark: Mark,
): readonly { readonly by: ComparedColumn; readonly parts: MarkedText['parts'] }[] {
  return firstOfColumns(
    cells.flatMap((cell) => {
      const { parts, isMatch } = mark(cell);
      return isMatch ? [{ by: cell.by, parts }] : [];
    }),
  );
}

function firstOfColumns<Item extends { readonly by: ComparedColumn }>(items: readonly Item[]): readonly Item[] {
  const columns = new Set<string>();
  return items.filter(({ by: { condition } }) => {
    const isFirst = !columns.has(condition.column);
    columns.add(condition.column);
    return isFirst;
  });
}

/** A truth value or bytes in a column of them: only other values there are compared with a text. */
function isOfColumn(cell: PageCell | undefined, kind: string | undefined): boolean {
  return kind === 'boolean' ? typeof cell === 'boolean' : kind === 'bytes' && typeof cell === 'string';
}

function isNumberCell(cell: PageCell | undefined): boolean {
  return typeof cell === 'number' || (Array.isArray(cell) && cell[0] === 'number');
}

/** A cell as text; undefined where it has none. A page from a driver's process may hold anything in a cell. */
function cellText(cell: PageCell | undefined): string | undefined {
  if (cell === null || cell === undefined) return undefined;
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  if (isUnread(cell)) return typeof cell[1]?.start === 'string' ? `${cell[1].start}…` : undefined;
  const text: unknown = Array.isArray(cell) ? cell[1] : undefined;
  if (typeof text !== 'string') return undefined;
  return cell[0] === 'bytes' ? textOfBytes(text) : text;
}

/** Bytes among texts are compared as the text that they are. */
function textOfBytes(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
