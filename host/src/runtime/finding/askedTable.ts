import { DriverError, isDriverError } from '@tabularium/sdk';
import type { Filter, PageBatch, TableDescription, TableRef } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { ErrorReport } from '../../common/errorReport.ts';
import type { FindRows, TableOutcome, UncomparedColumns } from '../../common/findingRows.ts';
import type { Sessions } from '../data/sessions.ts';
import { errorReport } from '../errors/errorReport.ts';
import { driverPage } from '../data/driverBatch.ts';
import { comparableColumns } from './comparableColumns.ts';
import type { ComparedColumn } from './comparableColumns.ts';
import { foundRows } from './foundRows.ts';
import { TextMarker } from './textMarker.ts';

/** A longer value is read as a placeholder where the driver has some: its row is found all the same. */
const LONGEST_VALUE = 64 * 1024;
/** Milliseconds of a table's first read above which it is not read again for a shorter filter. */
const MOST_FIRST_READ = 2_000;
/** Names of columns that were not compared. */
const MOST_NAMES = 20;

/** How one table answered, and what of it was not compared. */
export interface TableAnswer {
  readonly outcome: TableOutcome;
  readonly uncompared?: UncomparedColumns;
}

/** A search for rows in one table after the other. */
export interface TableQuestion extends Omit<FindRows, 'scope'> {
  readonly filtering: NonNullable<Manifest['filtering']>;
}

/** Asks one table for rows that hold the text, as the grid does: by its columns' own operators. */
export class AskedTable {
  readonly #sessions: Pick<Sessions, 'use' | 'describe'>;
  readonly #question: TableQuestion;
  readonly #table: TableRef;
  readonly #signal: AbortSignal;
  #limit: number;
  #hasReloaded = false;
  #uncompared: string[] = [];
  #error: ErrorReport | undefined;

  constructor(
    sessions: Pick<Sessions, 'use' | 'describe'>,
    question: TableQuestion,
    { table, signal }: { readonly table: TableRef; readonly signal: AbortSignal },
  ) {
    this.#sessions = sessions;
    this.#question = question;
    this.#table = table;
    this.#signal = signal;
    // One more than is shown says whether there are more.
    this.#limit = question.rowsPerTable + 1;
  }

  async answer(): Promise<TableAnswer> {
    const outcome = await this.#outcome(await this.#describe(false));
    const [first] = this.#uncompared;
    if (first === undefined) return { outcome };
    return {
      outcome,
      uncompared: {
        names: this.#uncompared.slice(0, MOST_NAMES),
        count: this.#uncompared.length,
        ...(this.#error === undefined ? {} : { error: this.#error }),
      },
    };
  }

  async #outcome(description: TableDescription): Promise<TableOutcome> {
    // A person opens such a table; a search through all of them asks for none of it.
    if (description.uncertainRead !== undefined)
      throw new DriverError('UNSUPPORTED', `Reading this table may do more than read: ${description.uncertainRead}.`, {
        details: { advice: 'Open the table itself to read it.' },
      });
    const { compared, uncompared } = comparableColumns(description.columns, this.#question.filtering, this.#question);
    this.#uncompared = [...uncompared];
    this.#error = undefined;
    let left = compared;
    // Each turn asks for fewer columns or fewer rows, so there is a last one.
    while (left.length > 0) {
      try {
        const began = performance.now();
        const batch = await this.#read(description, left);
        return await this.#found(description, left, { batch, milliseconds: performance.now() - began });
      } catch (error) {
        if (isDriverError(error) && error.code === 'STRUCTURE_CHANGED' && !this.#hasReloaded) {
          this.#hasReloaded = true;
          return this.#outcome(await this.#describe(true));
        }
        left = this.#fewer(left, error);
      }
    }
    return { outcome: this.#uncompared.length > 0 ? 'noColumns' : 'nothing' };
  }

  #describe(reload: boolean): Promise<TableDescription> {
    return this.#sessions.describe(this.#question.connectionId, this.#table, reload, { signal: this.#signal });
  }

  async #read(description: TableDescription, compared: readonly ComparedColumn[]): Promise<PageBatch> {
    return this.#sessions.use(
      this.#question.connectionId,
      async ({ session }) => {
        const { batch } = await session.readPage(
          {
            table: description.ref,
            filter: this.#filter(compared),
            sorts: [],
            position: { from: 'start' },
            limit: this.#limit,
            columns: [...new Set([...namingColumns(description), ...compared.map(({ condition }) => condition.column)])],
            ...(session.rows === undefined ? {} : { placeholders: { over: LONGEST_VALUE } }),
          },
          { signal: this.#signal },
        );
        return driverPage(batch);
      },
      { signal: this.#signal },
    );
  }

  #filter(compared: readonly ComparedColumn[]): Filter {
    const { filtering, matchCase } = this.#question;
    return {
      match: 'any',
      conditions: compared.map(({ condition }) => condition),
      ...(filtering.caseControl.available ? { matchCase } : {}),
    };
  }

  async #found(
    description: TableDescription,
    compared: readonly ComparedColumn[],
    { batch, milliseconds }: { readonly batch: PageBatch; readonly milliseconds: number },
  ): Promise<TableOutcome> {
    const most = Math.min(this.#question.rowsPerTable, Math.max(1, this.#limit - 1));
    const shown = foundRows(batch, { key: namingColumns(description), compared, most }, new TextMarker(this.#question));
    if (shown.length === 0) return { outcome: 'nothing' };
    // Where fewer were asked for, because the rows are large, a full page may not be all of them.
    const isFull = this.#limit <= this.#question.rowsPerTable && batch.rows.length >= this.#limit;
    const hasMore = batch.rows.length > most || isFull;
    const matched = new Set(shown.flatMap((row) => row.matched));
    const narrow = compared.filter((one) => matched.has(one));
    const isNarrow =
      !hasMore && milliseconds < MOST_FIRST_READ && (await this.#findsAll(description, narrow, compared, batch.rows.length));
    return {
      outcome: 'found',
      rows: shown.map(({ row }) => row),
      hasMore,
      filter: this.#filter(isNarrow ? narrow : compared),
    };
  }

  /**
   * Whether the comparisons that were seen to find the rows find all of them: a person can read a filter of three conditions. They are asked, because a database may
   * compare otherwise than letter by letter. Fewer conditions joined by “any” find the same rows where they find as many.
   */
  async #findsAll(
    description: TableDescription,
    narrow: readonly ComparedColumn[],
    compared: readonly ComparedColumn[],
    rows: number,
  ): Promise<boolean> {
    if (narrow.length === 0 || narrow.length === compared.length) return false;
    try {
      return (await this.#read(description, narrow)).rows.length === rows;
    } catch (error) {
      if (!isDriverError(error)) throw error;
      return false;
    }
  }

  /** The columns to ask for after an error; throws it where there are none. */
  #fewer(compared: readonly ComparedColumn[], error: unknown): readonly ComparedColumn[] {
    if (!isDriverError(error)) throw error;
    if (error.code === 'TOO_LARGE' && this.#limit > 1) {
      this.#limit = Math.floor(this.#limit / 2);
      return compared;
    }
    if (error.code !== 'INVALID_INPUT' && error.code !== 'UNSUPPORTED') throw error;
    const refused = compared.find(({ condition }) => condition.column === error.details?.field);
    const without = (isLeftOut: (one: ComparedColumn) => boolean): readonly ComparedColumn[] => {
      // A column of numbers or dates that refuses the value can't hold it.
      this.#uncompared.push(...compared.filter((one) => isLeftOut(one) && one.as === 'text').map((one) => one.condition.column));
      this.#error ??= errorReport(error);
      return compared.filter((one) => !isLeftOut(one));
    };
    if (refused !== undefined) return without((one) => one === refused);
    // The database refused some value without naming its column: text is refused by no column of text.
    const isRisky = ({ condition }: ComparedColumn): boolean => condition.operator !== 'contains';
    if (compared.every(isRisky) || !compared.some(isRisky)) throw error;
    return without(isRisky);
  }
}

/** Columns by which a person recognises a row without a key. */
const MOST_NAMING = 3;
const LONG_KINDS: ReadonlySet<string> = new Set(['bytes', 'json', 'geo']);

/** The columns that name a row: its key, or the first ones where it has none. */
function namingColumns({ key, columns }: TableDescription): readonly string[] {
  if (key.length > 0) return key;
  return columns
    .filter(({ kind, filterClass }) => filterClass !== undefined && !LONG_KINDS.has(kind))
    .slice(0, MOST_NAMING)
    .map(({ name }) => name);
}
