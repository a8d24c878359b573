import { constants, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { StatementSync } from 'node:sqlite';
import { invalid, sqliteError } from './fault.ts';
import type { SqlValue } from './names.ts';
import { isAllowedPragma } from './sql/pragmas.ts';

export interface OpenOptions {
  readonly readOnly: boolean;
  readonly busyMilliseconds: number;
  readonly foreignKeys: boolean;
}

/**
 * The permissions of a statement: SQLite itself asks before it prepares one, whatever the text looked like. An EXPLAIN of a write is asked about like the write,
 * but never runs it; pragmas take effect while they are prepared, also behind EXPLAIN, and have no more rights there than in a read.
 */
type Right = 'read' | 'write' | 'explain';

const { SQLITE_OK, SQLITE_DENY } = constants;

/** Actions of a statement that only reads. Everything else needs the right to write. */
const READS: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
]);
/** Temporary objects would be gone with the next statement, and transactions would stay open without anybody noticing. */
const NEVER: ReadonlySet<number> = new Set([
  constants.SQLITE_CREATE_TEMP_INDEX,
  constants.SQLITE_CREATE_TEMP_TABLE,
  constants.SQLITE_CREATE_TEMP_TRIGGER,
  constants.SQLITE_CREATE_TEMP_VIEW,
]);
const REFUSED_FUNCTIONS: ReadonlySet<string> = new Set(['load_extension', 'readfile', 'writefile', 'edit', 'fts3_tokenizer']);

/** A function in SQL that takes bytes from those that a row may have, and says whether that many were left. */
const TAKE = 'tabularium_take';
/** Values of so many bytes aren't counted. */
const SMALL_VALUE = 64 * 1024;

/** A row by the position of its columns. */
export type SqlRow = readonly SqlValue[];

/**
 * One open database file. Integers come as bigint, rows as lists. It creates no file, opens no second one, and loads no code: SQLite asks
 * an authorizer about each action of each statement.
 */
export class SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly readOnly: boolean;
  #right: Right = 'read';
  #bytesLeft = 0;

  /** @throws DriverError when the file cannot be opened or isn't a database */
  constructor(path: string, options: OpenOptions) {
    this.readOnly = options.readOnly;
    const url = pathToFileURL(path);
    // Without the mode a file that is not there would be created.
    url.searchParams.set('mode', options.readOnly ? 'ro' : 'rw');
    try {
      this.#database = new DatabaseSync(url, {
        readOnly: options.readOnly,
        timeout: options.busyMilliseconds,
        enableForeignKeyConstraints: options.foreignKeys,
        readBigInts: true,
        returnArrays: true,
        defensive: true,
      });
      // The schema of a file that somebody else made cannot call functions with effects.
      this.#database.exec('PRAGMA trusted_schema = OFF');
      this.#database.function(TAKE, (bytes) => {
        this.#bytesLeft -= Number(bytes);
        return this.#bytesLeft >= 0 ? 1 : 0;
      });
      this.#database.setAuthorizer((action, one, two, schema) =>
        this.#isAllowed(action, one, two, schema) ? SQLITE_OK : SQLITE_DENY,
      );
    } catch (error) {
      throw sqliteError(error);
    }
  }

  /** Every row of a query that only reads. */
  all(sql: string, parameters: readonly SqlValue[] = []): readonly SqlRow[] {
    return this.#within('read', undefined, () => rowsOf(this.#database.prepare(sql).all(...parameters)));
  }

  /** The first row, if there is one. */
  first(sql: string, parameters: readonly SqlValue[] = []): SqlRow | undefined {
    return this.all(sql, parameters)[0];
  }

  /** A query that only reads, row by row. */
  rows(sql: string, parameters: readonly SqlValue[] = []): Generator<SqlRow, void, undefined> {
    return this.prepare(sql, 'read').rows(parameters);
  }

  /**
   * The same where no row may be larger than so many bytes: values that are read by {@link limited} and would make it larger are not read.
   *
   * @param refuse - makes the error about a row of that many bytes
   */
  *rowsUpTo(
    most: number,
    refuse: (bytes: number) => Error,
    sql: string,
    parameters: readonly SqlValue[] = [],
  ): Generator<SqlRow, void, undefined> {
    const rows = this.rows(sql, parameters);
    try {
      for (;;) {
        this.#bytesLeft = most;
        const next = rows.next();
        if (this.#bytesLeft < 0) throw refuse(most - this.#bytesLeft);
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      rows.return();
    }
  }

  /** A column in a query for {@link rowsUpTo}. `octet_length` of a column doesn't read its content. */
  static limited(sql: string): string {
    return `CASE WHEN octet_length(${sql}) > ${SMALL_VALUE} AND NOT ${TAKE}(octet_length(${sql})) THEN NULL ELSE ${sql} END`;
  }

  /** A statement of a person's, or one whose rows are taken one by one. */
  prepare(sql: string, right: Right): Prepared {
    this.#keepJournalFile(right);
    const statement = this.#within(right, sql, () => this.#database.prepare(sql));
    if (right === 'explain' && !isExplained(statement))
      throw invalid("SQLite doesn't read this statement as an EXPLAIN, so it was not run.", undefined, { id: 'sql.notExplain' });
    return new Prepared(statement, (work) => this.#within(right, sql, work));
  }

  /** SQLite's program for a statement, as EXPLAIN lists it; nothing of it runs. */
  program(sql: string): Generator<SqlRow, void, undefined> {
    return this.prepare(`EXPLAIN ${sql}`, 'explain').rows();
  }

  /** A statement of this driver's that writes. @returns how many rows it changed, and what it returns */
  write(sql: string, parameters: readonly SqlValue[] = []): { readonly changes: number; readonly rows: readonly SqlRow[] } {
    this.#keepJournalFile('write');
    return this.#within('write', sql, () => {
      const statement = this.#database.prepare(sql);
      if (statement.columns().length > 0) {
        const rows = rowsOf(statement.all(...parameters));
        return { changes: rows.length, rows };
      }
      return { changes: Number(statement.run(...parameters).changes), rows: [] };
    });
  }

  /** All of it, or nothing. The lock is taken first, so that a change never fails for it in the middle. */
  transaction<T>(work: () => T): T {
    this.#exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#exec('ROLLBACK');
      throw error;
    }
  }

  /** Whether a transaction is open. A trigger that rolls back ends one. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  /**
   * The host grants single files, and the journal is one of them: it is emptied after a change, for it could not be created again. A
   * database with a write-ahead log stays as it is.
   */
  #keepJournalFile(right: Right): void {
    if (right !== 'write' || this.readOnly || this.#database.isTransaction) return;
    this.#within('write', undefined, () => {
      const mode = rowsOf(this.#database.prepare('PRAGMA journal_mode').all())[0]?.[0];
      if (mode === 'delete') this.#database.exec('PRAGMA journal_mode = TRUNCATE');
    });
  }

  #exec(sql: string): void {
    this.#keepJournalFile('write');
    this.#within('write', undefined, () => this.#database.exec(sql));
  }

  /** The right counts while a statement runs as well: SQLite prepares some again, and VACUUM makes statements of its own. */
  #within<T>(right: Right, request: string | undefined, work: () => T): T {
    this.#right = right;
    try {
      return work();
    } catch (error) {
      throw sqliteError(error, request);
    } finally {
      this.#right = 'read';
    }
  }

  #isAllowed(action: number, one: string | null, two: string | null, schema: string | null): boolean {
    const mayWrite = this.#right === 'write';
    // `CREATE TABLE temp.t` is not asked about as a temporary one; but it is written into the list of those, as everything there is.
    if (NEVER.has(action) || (action === constants.SQLITE_INSERT && schema === 'temp')) return false;
    // VACUUM attaches a nameless database to work in. With a name it would write another file.
    if (action === constants.SQLITE_ATTACH) return mayWrite && one === '';
    if (action === constants.SQLITE_FUNCTION) return !REFUSED_FUNCTIONS.has((two ?? '').toLowerCase());
    if (action === constants.SQLITE_PRAGMA) return isAllowedPragma(one ?? '', two ?? undefined, mayWrite);
    return READS.has(action) || mayWrite || this.#right === 'explain';
  }
}

/** The name of a result's column, and its origin. */
export interface ResultColumn {
  readonly name: string;
  /** Undefined for an expression. */
  readonly declared: string | undefined;
}

/** A statement that is ready to run. */
export class Prepared {
  readonly #statement: StatementSync;
  readonly #within: <T>(work: () => T) => T;

  constructor(statement: StatementSync, within: <T>(work: () => T) => T) {
    this.#statement = statement;
    this.#within = within;
  }

  /** Empty for a statement that gives no rows. */
  columns(): readonly ResultColumn[] {
    return this.#statement.columns().map(({ name, type }) => ({ name, declared: type ?? undefined }));
  }

  /** The rows, each when it is found. Ending the iteration early ends the statement. */
  *rows(parameters: readonly SqlValue[] = []): Generator<SqlRow, void, undefined> {
    const iterator = this.#within(() => this.#statement.iterate(...parameters));
    try {
      for (;;) {
        const next = this.#within(() => iterator.next());
        if (next.done === true) return;
        yield rowOf(next.value);
      }
    } finally {
      this.#within(() => iterator.return?.());
    }
  }

  /** Runs it to its end. @returns how many rows it changed */
  run(parameters: readonly SqlValue[] = []): number {
    return this.#within(() => Number(this.#statement.run(...parameters).changes));
  }
}

/** The first columns of an EXPLAIN and of an EXPLAIN QUERY PLAN, which SQLite names itself. */
const EXPLAINED: readonly string[] = ['addr,opcode,p1,p2', 'id,parent,notused,detail'];

/** A second wall behind the classification: a statement that would run has other columns. */
function isExplained(statement: StatementSync): boolean {
  const names = statement.columns().map(({ name }) => name);
  return EXPLAINED.includes(names.slice(0, 4).join(','));
}

function rowsOf(rows: readonly unknown[]): readonly SqlRow[] {
  return rows.map(rowOf);
}

/** With `returnArrays` every row is a list; the types of Node know only objects. */
function rowOf(row: unknown): SqlRow {
  return row as SqlRow;
}
