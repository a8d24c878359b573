import { ABSENT, isUnread, rowKeyText } from '@tabularium/sdk';
import type { Cell, PageCell, RowBatch, RowKey } from '@tabularium/sdk';
import { problemOf, windowProblem } from '../../api/problem.ts';
import { strings } from '../../i18n/index.ts';
import type { GridRow } from './gridRow.ts';

/** Rows that are read by their keys at a time; the host takes no more. */
const AT_ONCE = 100;

/** Reads rows by their keys, every value whole. */
export type RowsReader = (keys: readonly RowKey[], columns: readonly string[], signal: AbortSignal) => Promise<RowBatch>;

/** Whether a row has no placeholder at some places. */
export function isWhole(row: GridRow, places: readonly number[]): boolean {
  return places.every((place) => !isUnread(row[place] ?? null));
}

/** A value that was read. @throws ReportedProblem for a placeholder: it must never pass for a value */
export function wholeCell(cell: PageCell): Cell {
  if (isUnread(cell)) throw windowProblem('NOT_FOUND', strings.grid.valueMissing, strings.grid.valueMissingAdvice);
  return cell;
}

/** A row's key; undefined where it has none. */
export function keyOfRow(row: GridRow, keyPlaces: readonly number[]): Cell[] | undefined {
  if (keyPlaces.length === 0 || keyPlaces.includes(-1)) return undefined;
  const key = keyPlaces.map((place) => row[place] ?? null);
  return key.some(isUnread) ? undefined : (key as Cell[]);
}

interface Options {
  /** The columns of the grid, in the order of a row. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Absent where rows cannot be read by their keys; then pages have no placeholders. */
  readonly readRows?: RowsReader;
}

/** Reads what pages of a table left out. */
export class WholeRows {
  readonly #options: Options;
  readonly #keyPlaces: readonly number[];

  constructor(options: Options) {
    this.#options = options;
    this.#keyPlaces = options.key.map((name) => options.columns.indexOf(name));
  }

  /**
   * The same rows in the same order, without placeholders at some places.
   *
   * @throws ReportedProblem where a row is gone, and what reading throws
   */
  async read(rows: readonly GridRow[], places: readonly number[], signal: AbortSignal): Promise<readonly GridRow[]> {
    const lacking = rows.filter((row) => !isWhole(row, places));
    if (lacking.length === 0) return rows;
    const found = new Map<GridRow, GridRow>();
    for (let done = 0; done < lacking.length; done += AT_ONCE) {
      for (const [before, after] of await this.#readSome(lacking.slice(done, done + AT_ONCE), places, signal))
        found.set(before, after);
    }
    return rows.map((row) => found.get(row) ?? row);
  }

  async #readSome(
    rows: readonly GridRow[],
    places: readonly number[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<GridRow, GridRow>> {
    const { columns, key, readRows } = this.#options;
    signal.throwIfAborted();
    const keys = rows.flatMap((row) => [keyOfRow(row, this.#keyPlaces) ?? []]).filter(({ length }) => length > 0);
    const wanted = places.filter((place) => rows.some((row) => isUnread(row[place] ?? null)));
    const names = [...new Set([...key, ...wanted.flatMap((place) => columns[place] ?? [])])];
    let batch: RowBatch;
    try {
      if (readRows === undefined || keys.length < rows.length) throw gone();
      batch = await readRows(keys, names, signal);
    } catch (error) {
      if (rows.length === 1 || problemOf(error).code !== 'TOO_LARGE') throw error;
      const half = rows.length >> 1;
      const first = await this.#readSome(rows.slice(0, half), places, signal);
      return new Map([...first, ...(await this.#readSome(rows.slice(half), places, signal))]);
    }
    const placeIn = new Map(batch.columns.map(({ name }, place) => [name, place]));
    const byKey = new Map(batch.rows.map((row) => [rowKeyText(key.map((name) => row[placeIn.get(name) ?? -1] ?? null)), row]));
    return new Map(
      rows.map((row) => {
        const read = byKey.get(rowKeyText(keyOfRow(row, this.#keyPlaces) ?? []));
        if (read === undefined) throw gone();
        const whole = row.map((cell, place): PageCell => {
          if (!isUnread(cell) || !wanted.includes(place)) return cell;
          const at = placeIn.get(columns[place] ?? '');
          return at === undefined ? ABSENT : (read[at] ?? null);
        });
        return [row, whole];
      }),
    );
  }
}

function gone(): Error {
  return windowProblem('NOT_FOUND', strings.grid.valueMissing, strings.grid.valueMissingAdvice);
}
