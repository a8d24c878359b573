import type { BatchColumn, Cell } from '@tabularium/sdk';
import { z } from 'zod';
import { jsonValue } from './jsonValue.ts';
import type { CutCount } from './jsonValue.ts';

/** Rows of an answer, when a call does not say. */
export const DEFAULT_ROWS = 500;
/** Rows of an answer at most. */
export const MOST_ROWS = 10_000;
/** Characters of the JSON of an answer's rows at most; rows beyond are left out, and the answer says so. */
export const MOST_ROW_CHARACTERS = 1_000_000;
/** Seconds of a call that reads or runs, when it does not say. */
const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 300;

export const maxRowsArgument = z
  .number()
  .int()
  .min(1)
  .max(MOST_ROWS)
  .default(DEFAULT_ROWS)
  .describe('How many rows at most. The fields truncated and notes describe what was left out.');

export const timeoutArgument = z
  .number()
  .int()
  .min(1)
  .max(MOST_SECONDS)
  .default(DEFAULT_SECONDS)
  .describe('Seconds after which the call is stopped.');

export const columnsOutput = z.array(z.object({ name: z.string(), kind: z.string() }));

/** z.record would drop a column that is named `__proto__`. */
export const rowsOutput = z
  .array(z.unknown().meta({ type: 'object' }))
  .describe('By column name. Fields that a row does not have are left out. Numbers too large to be exact are strings.');

/** Rows as objects, as many as an answer may hold. */
export class ResultRows {
  readonly #maxRows: number;
  readonly #names: readonly string[];
  readonly #columns: readonly BatchColumn[];
  readonly #cut: CutCount = { values: 0 };
  readonly rows: Record<string, unknown>[] = [];
  #characters = 0;
  #full = false;

  constructor(columns: readonly BatchColumn[], maxRows: number) {
    this.#columns = columns;
    this.#names = uniqueNames(columns.map(({ name }) => name));
    this.#maxRows = maxRows;
  }

  /** Whether rows were left out. */
  get isFull(): boolean {
    return this.#full;
  }

  get columns(): { name: string; kind: string }[] {
    return this.#columns.map(({ kind }, index) => ({ name: this.#names[index] ?? '', kind }));
  }

  add(rows: readonly (readonly Cell[])[]): void {
    for (const row of rows) {
      if (this.rows.length >= this.#maxRows || this.#characters >= MOST_ROW_CHARACTERS) {
        this.#full = true;
        return;
      }
      const entries = this.#columns.flatMap(({ kind }, index): [string, unknown][] => {
        const value = jsonValue(row[index] ?? null, kind, this.#cut);
        return value === undefined ? [] : [[this.#names[index] ?? '', value]];
      });
      const object = Object.fromEntries(entries);
      this.#characters += JSON.stringify(object).length;
      this.rows.push(object);
    }
  }

  /** Notes for a model about values that were left out. */
  notes(): string[] {
    const { values } = this.#cut;
    return [
      ...(this.#full ? [`Only the first ${this.rows.length} rows are here. Ask for fewer columns, filter, or page on.`] : []),
      ...(values === 0 ? [] : [`${values} long values were cut; the text says how long each is.`]),
    ];
  }
}

/** Result sets may name two columns alike. */
function uniqueNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
