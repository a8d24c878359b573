import { rowKeyText } from '@tabularium/sdk';
import type { RowKey } from '@tabularium/sdk';
import type { DecodedDocuments } from '../../api/decodedPage.ts';
import { windowProblem } from '../../api/problem.ts';
import { strings } from '../../i18n/index.ts';
import type { GridRow } from './gridRow.ts';
import { keyOfRow } from './wholeRows.ts';

/** Rows that are read by their keys at a time; the host takes no more. */
const AT_ONCE = 100;

/** Reads rows with their documents. */
export type DocumentsReader = (keys: readonly RowKey[], signal: AbortSignal) => Promise<DecodedDocuments>;

interface Options {
  /** The columns of the grid, in the order of a row. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Absent where rows cannot be read by their keys. */
  readonly readDocuments?: DocumentsReader | undefined;
}

/** Reads rows as the database returns them. */
export class RowDocuments {
  readonly #options: Options;
  readonly #keyPlaces: readonly number[];
  /** Undefined until an answer has shown it. */
  #isGiven: boolean | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#keyPlaces = options.key.map((name) => options.columns.indexOf(name));
  }

  /** Whether rows may be documents; false where they are known to be nothing but their cells. */
  get mayBeGiven(): boolean {
    return this.#options.readDocuments !== undefined && this.#isGiven !== false;
  }

  /**
   * Whether rows are documents: as an answer has shown, else a row is asked for.
   *
   * @param row - any row of the table; without one a key is made up, since an answer without rows shows it too
   */
  async areGiven(row: GridRow | undefined, signal: AbortSignal): Promise<boolean> {
    if (!this.mayBeGiven || this.#isGiven !== undefined) return this.#isGiven ?? false;
    const key = row === undefined ? undefined : keyOfRow(row, this.#keyPlaces);
    try {
      await this.read([key ?? this.#options.key.map(() => '0')], signal);
    } catch (error) {
      signal.throwIfAborted();
      // No row can have a key that was made up.
      if (key !== undefined) throw error;
    }
    return this.#isGiven ?? false;
  }

  /**
   * The JSON texts of rows by the texts of their keys; a row that is gone is missing. Undefined where rows are nothing but their cells.
   *
   * @throws what reading throws
   */
  async read(keys: readonly RowKey[], signal: AbortSignal): Promise<ReadonlyMap<string, string> | undefined> {
    const { key, readDocuments } = this.#options;
    if (readDocuments === undefined || !this.mayBeGiven) return undefined;
    const found = new Map<string, string>();
    for (let done = 0; done < keys.length; done += AT_ONCE) {
      const { batch, documents } = await readDocuments(keys.slice(done, done + AT_ONCE), signal);
      this.#isGiven = documents !== undefined;
      if (documents === undefined) return undefined;
      const places = key.map((name) => batch.columns.findIndex((column) => column.name === name));
      for (const row of batch.rows) {
        const text = row[documents];
        if (typeof text === 'string') found.set(rowKeyText(places.map((place) => row[place] ?? null)), text);
      }
    }
    return found;
  }

  /**
   * The JSON texts of rows of the grid. Undefined where rows are nothing but their cells.
   *
   * @throws ReportedProblem where a row is gone, and what reading throws
   */
  async ofRows(rows: readonly GridRow[], signal: AbortSignal): Promise<ReadonlyMap<GridRow, string> | undefined> {
    const keys = new Map(rows.map((row) => [row, keyOfRow(row, this.#keyPlaces)]));
    const found = await this.read(
      [...keys.values()].flatMap((key) => (key === undefined ? [] : [key])),
      signal,
    );
    if (found === undefined) return undefined;
    return new Map(
      [...keys].map(([row, key]) => {
        const text = key === undefined ? undefined : found.get(rowKeyText(key));
        if (text === undefined) throw windowProblem('NOT_FOUND', strings.grid.valueMissing, strings.grid.valueMissingAdvice);
        return [row, text];
      }),
    );
  }
}
