import { isUnread, wholeStart } from '@tabularium/sdk';
import type { BatchColumn, PageCell, UnreadValue } from '@tabularium/sdk';
import { z } from 'zod';
import type { Cuts } from './jsonValue.ts';
import { sendableValue } from './sendableValue.ts';
import { estimateTokens } from './tokenEstimate.ts';

/** Rows of an answer, when a call does not say. */
export const DEFAULT_ROWS = 500;
/** Rows of an answer at most. */
export const MOST_ROWS = 10_000;
/** Tokens of an answer, about, when a call does not say: half of what the strictest hosts take. */
export const DEFAULT_TOKENS = 12_000;
export const MOST_TOKENS = 100_000;
export const LEAST_TOKENS = 500;
/** Characters of a value, when a call does not say. Longer ones are cut. */
export const DEFAULT_CELL_CHARACTERS = 1_000;
export const MOST_CELL_CHARACTERS = 200_000;
/** Characters of an answer at most, for hosts that ask. */
export const MOST_ANSWER_CHARACTERS = 400_000;
/** Of the tokens of an answer, those that its rows may take; the rest is for everything around them, and for what an estimate is wrong by. */
const SHARE_OF_ROWS = 0.88;
/** The shortest values that are tried before columns are left out, when not even one row fits. */
const SHORTEST_CELLS = 80;
/** Seconds of a call that reads or runs, when it does not say. */
const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 300;

export const timeoutArgument = z.number().int().min(1).max(MOST_SECONDS).default(DEFAULT_SECONDS);

export const columnsOutput = z.array(z.string()).describe('The columns of rows, in order.');

export const rowsOutput = z
  .array(z.array(z.unknown()))
  .describe(
    'In the order of columns. null: no value. Too large numbers are strings. {$json: text} and the like: send back as is.',
  );

/** The bounds of an answer's rows. */
export interface RowBounds {
  readonly maxRows: number;
  readonly maxTokens: number;
  readonly cellCharacters: number;
}

/** Rows as lists in the order of the columns, as many as an answer may hold. */
export class ResultRows {
  readonly #bounds: RowBounds;
  readonly #names: readonly string[];
  readonly #columns: readonly BatchColumn[];
  #cuts: Cuts;
  /** How many columns are given; fewer than there are where not even one row fits. */
  #width: number;
  readonly rows: unknown[][] = [];
  #tokens: number;
  #full = false;

  readonly #key: ReadonlySet<string>;

  /** @param key - columns whose values name a row, and are given to the letter */
  constructor(columns: readonly BatchColumn[], bounds: RowBounds, key: readonly string[] = []) {
    this.#key = new Set(key);
    this.#bounds = bounds;
    this.#columns = columns;
    this.#names = uniqueNames(columns.map(({ name }) => name));
    this.#cuts = { values: 0, longest: 0, limit: bounds.cellCharacters };
    // Names count before there is a row: an answer without rows has them, too.
    this.#tokens = 0;
    this.#width = 0;
    for (const name of this.#names) {
      const tokens = estimateTokens(JSON.stringify(name)) + 1;
      if (this.#width > 0 && this.#tokens + tokens > this.#mostTokens) break;
      this.#tokens += tokens;
      this.#width += 1;
    }
  }

  /** Whether rows were left out. */
  get isFull(): boolean {
    return this.#full;
  }

  /** Whether columns were left out because one row of all is too long. */
  get isNarrowed(): boolean {
    return this.#width < this.#columns.length;
  }

  get columns(): string[] {
    return this.#names.slice(0, this.#width);
  }

  add(rows: readonly (readonly PageCell[])[]): void {
    for (const row of rows) {
      if (this.#full) return;
      if (this.rows.length >= this.#bounds.maxRows) {
        this.#full = true;
        return;
      }
      const cuts = { ...this.#cuts };
      const values = this.#valuesOf(row, cuts);
      const tokens = tokensOf(values);
      if (this.#tokens + tokens <= this.#mostTokens) {
        this.#cuts = cuts;
        this.rows.push(values);
        this.#tokens += tokens;
      } else if (this.rows.length === 0) {
        this.#addShortened(row);
      } else {
        this.#full = true;
      }
    }
  }

  /** Notes for a model about what was left out, and how to get it. */
  notes(howToGoOn: string): string[] {
    const { values, longest } = this.#cuts;
    const left = this.#columns.length - this.#width;
    const cut = values === 1 ? '1 long value was cut' : `${values} long values were cut`;
    return [
      ...(this.#full ? [`Only the first ${this.rows.length} rows are here. ${howToGoOn}`] : []),
      ...(left === 0 ? [] : [`${left} columns were left out, since one row of all is too long. Name the columns you need.`]),
      ...(values === 0
        ? []
        : [`${cut}${longest === 0 ? '' : `; the longest has ${longest} characters`}. ${this.#howToGetWhole()}`]),
    ];
  }

  /** The advice for cut values. A caller that does exactly this has the whole value in the end, or the word that no answer holds it. */
  #howToGetWhole(): string {
    const { maxTokens, cellCharacters } = this.#bounds;
    const { limit, longest } = this.#cuts;
    if (limit < cellCharacters) {
      if (this.#columns.length > 1) return `For a whole one, ask for its row and column alone, with maxTokens: ${MOST_TOKENS}.`;
      if (maxTokens < MOST_TOKENS) return `For the whole of it, ask for its row alone with maxTokens: ${MOST_TOKENS}.`;
      return TOO_LONG_FOR_ANSWERS;
    }
    if (cellCharacters >= MOST_CELL_CHARACTERS) return TOO_LONG_FOR_ANSWERS;
    const needed = longest === 0 ? MOST_CELL_CHARACTERS : Math.min(longest, MOST_CELL_CHARACTERS);
    return `For a whole one, ask for its row and column alone with cellCharacters: ${needed}.`;
  }

  get #mostTokens(): number {
    return this.#bounds.maxTokens * SHARE_OF_ROWS;
  }

  /** A first row that does not fit: with shorter values, else with as many columns as fit. */
  #addShortened(row: readonly PageCell[]): void {
    for (let limit = this.#bounds.cellCharacters; limit > SHORTEST_CELLS;) {
      limit = Math.max(SHORTEST_CELLS, limit >> 1);
      const cuts: Cuts = { values: 0, longest: 0, limit };
      const values = this.#valuesOf(row, cuts);
      const tokens = tokensOf(values);
      this.#cuts = cuts;
      if (this.#tokens + tokens <= this.#mostTokens) {
        this.rows.push(values);
        this.#tokens += tokens;
        return;
      }
    }
    let tokens = 0;
    let width = 0;
    const values = this.#valuesOf(row, { ...this.#cuts, values: 0 });
    for (const [index, value] of values.entries()) {
      tokens += tokensOf([value]) + estimateTokens(JSON.stringify(this.#names[index] ?? ''));
      if (tokens > this.#mostTokens && index > 0) break;
      width = index + 1;
    }
    this.#width = width;
    this.rows.push(values.slice(0, width));
    this.#tokens = tokens;
  }

  #valuesOf(row: readonly PageCell[], cuts: Cuts): unknown[] {
    return this.#columns.slice(0, this.#width).map(({ name, kind }, index) => {
      const cell = row[index] ?? null;
      // A field that a row does not have and one that is null are both no value to a model.
      return isUnread(cell) ? unreadText(cell[1], cuts) : (sendableValue(cell, kind, cuts, this.#key.has(name)) ?? null);
    });
  }
}

/** Where neither bound can be raised any more. */
const TOO_LONG_FOR_ANSWERS =
  'No answer can hold it whole: read it in parts with a statement, if the database has a function for parts of a text, or export the table.';

function tokensOf(values: readonly unknown[]): number {
  return estimateTokens(JSON.stringify(values)) + 1;
}

/** A value that was not read, by what is known of it. */
function unreadText({ bytes, dimensions, start }: UnreadValue, cuts: Cuts): string {
  cuts.values += 1;
  if (dimensions !== undefined) return `(not read: a vector of ${dimensions} numbers)`;
  const size = bytes === undefined ? '' : ` ${bytes} bytes in all`;
  return start === undefined ? `(not read:${size || ' a long value'})` : `${wholeStart(start, cuts.limit)}… (cut:${size})`;
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
