import type { EditableRow } from './editableRow.ts';
import type { GridRow, PageCache } from './pageCache.ts';
import type { Interval } from './selection.ts';

/** The rows of a grid as they will be: those of the table with what is staged, and above them the new ones. */
export interface RowSource {
  readonly cache: PageCache;
  /** How many new rows are above those of the table. */
  readonly above: number;
  /** A row of the grid, as far as it is here. */
  readonly rowAt: (index: number) => EditableRow;
  /** A row of the table with what is staged for it. */
  readonly staged: (base: GridRow) => EditableRow;
}

/** A row with its place in the grid. */
export interface PlacedRow extends EditableRow {
  readonly index: number;
}

/**
 * Rows in order, also those that have to be read first.
 *
 * @param places - where the rows are to have no placeholders
 * @throws what reading throws
 */
export async function* readRows(
  { cache, above, rowAt, staged }: RowSource,
  intervals: readonly Interval[],
  signal: AbortSignal,
  places: readonly number[] = [],
): AsyncGenerator<readonly PlacedRow[]> {
  for (const { first, last } of intervals) {
    const isNew = (index: number): boolean => index < above;
    const added: PlacedRow[] = [];
    for (let index = first; index <= last && isNew(index); index += 1) added.push({ index, ...rowAt(index) });
    if (added.length > 0) yield added;
    let index = Math.max(first, above);
    if (index > last) continue;
    for await (const rows of cache.read(index - above, last - above, signal)) {
      const from = index;
      const whole = await cache.whole.read(rows, places, signal);
      yield whole.map((row, place) => ({ index: from + place, ...staged(row) }));
      index += rows.length;
    }
  }
}

/** The rows that are here, in order. */
export function* presentRows({ cache, above, rowAt, staged }: RowSource): Generator<PlacedRow> {
  for (let index = 0; index < above; index += 1) yield { index, ...rowAt(index) };
  for (const [index, row] of cache.loadedRows()) yield { index: index + above, ...staged(row) };
}

/** A row of the table, whichever is here. */
export function anyRow({ cache }: Pick<RowSource, 'cache'>): GridRow | undefined {
  for (const [, row] of cache.loadedRows()) return row;
  return undefined;
}
