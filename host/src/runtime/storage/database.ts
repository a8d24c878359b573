import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HostError } from '../../common/errors.ts';
import { checkDatabaseFile, unreadable } from './databaseFile.ts';
import { syncFile, syncFolder } from './durableFile.ts';
import { CREATE_MIGRATIONS } from './migrations/migration.ts';
import type { Migration } from './migrations/migration.ts';
import { storageFailureCode } from '../errors/storageFailure.ts';
import { token } from '../container/inject.ts';

/** The connection of the {@link Database}, for services that need no more of it. */
export const DATABASE_CONNECTION = token<DatabaseSync>('DATABASE_CONNECTION');

export interface DatabaseOptions {
  /** Called before the file is created. Throws where a database should already be there. */
  readonly beforeCreate?: () => void;
  /** Called before migrations change a database that has content, with the file that is about to change. */
  readonly beforeMigration?: (connection: DatabaseSync) => void;
}

/** Files that SQLite puts beside a database file. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/**
 * The data directory's one database. Only the host that owns the directory opens it, so calls are synchronous and need no busy handling.
 */
export class Database implements Disposable {
  readonly connection: DatabaseSync;

  /**
   * Checks the file, opens it, and applies the migrations that it lacks, each in a transaction. A file that fails the check is not changed.
   * A file that does not exist is created under another name and renamed when it is complete, so an empty file is always damage.
   *
   * @param file - a path, or `:memory:`
   * @throws HostError `DATABASE_DAMAGED`, `DATABASE_FOREIGN`, `DATABASE_NEWER`, `DATABASE_LOCKED`, `DISK_FULL`, `TOO_MANY_FILES`,
   *   `HOME_READ_ONLY`, `HOME_UNUSABLE`
   */
  constructor(file: string, migrations: readonly Migration[], options: DatabaseOptions = {}) {
    if (file === ':memory:') {
      this.connection = new DatabaseSync(file);
      this.connection.exec('PRAGMA foreign_keys = ON');
      migrate(this.connection, migrations);
      return;
    }
    const known = migrations.map(({ id }) => id);
    const check = checkDatabaseFile(file, known, migrations);
    if (check.state === 'faulty') throw asError(file, check);
    try {
      if (check.state === 'missing') {
        options.beforeCreate?.();
        create(file, migrations);
      }
      this.connection = open(file);
    } catch (error) {
      throw error instanceof HostError ? error : asError(file, unreadable(file, error));
    }
    try {
      if (check.state === 'sound' && check.migrations.length < known.length) {
        options.beforeMigration?.(this.connection);
        try {
          migrate(this.connection, migrations);
        } catch (error) {
          throw storageFailureCode(error, dirname(file)) === undefined ? migrationFailed(file, error) : error;
        }
      }
    } catch (error) {
      this.connection.close();
      throw error instanceof HostError ? error : asError(file, unreadable(file, error));
    }
  }

  /** Runs `work` in a transaction: all of it happens, or nothing. */
  transaction<T>(work: () => T): T {
    return inTransaction(this.connection, work);
  }

  [Symbol.dispose](): void {
    if (this.connection.isOpen) this.connection.close();
  }
}

/** A fault of a step and not of the file: a backup of the same state would fail in the same way. */
function migrationFailed(file: string, cause: unknown): HostError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new HostError('HOME_UNUSABLE', `The database ${file} could not be converted for this version of Tabularium: ${why}.`, {
    cause,
    details: {
      advice:
        'Nothing was changed, and a copy from before is in the folder "backups". Start the version of Tabularium that was used before, and report this with the output of "tabularium support".',
    },
  });
}

function asError(
  file: string,
  { code, sentence, cause }: Extract<ReturnType<typeof checkDatabaseFile>, { state: 'faulty' }>,
): HostError {
  return new HostError(code, `The database ${file} ${sentence}`, { cause });
}

function open(file: string): DatabaseSync {
  const connection = new DatabaseSync(file);
  try {
    chmodSync(file, 0o600);
    // Locked once: no other program that asks for a lock gets one, and no statement has to take its own (30 µs each). WAL with NORMAL: a crash of the process loses nothing, a power cut at most the last commits.
    connection.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;',
    );
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** All of a new database or no file. */
function create(file: string, migrations: readonly Migration[]): void {
  const staged = `${file}.new`;
  const remove = (): void => {
    for (const suffix of ['', ...SIDE_FILES]) rmSync(`${staged}${suffix}`, { force: true });
  };
  remove();
  // A log without its database belongs to one that was moved away: SQLite would take it for the new one's.
  if (existsSync(`${file}-wal`))
    throw new HostError('DATABASE_DAMAGED', `The database ${file} is missing, but its write-ahead log is there.`);
  try {
    const connection = new DatabaseSync(staged);
    try {
      chmodSync(staged, 0o600);
      migrate(connection, migrations);
    } finally {
      connection.close();
    }
    syncFile(staged);
    renameSync(staged, file);
    syncFolder(dirname(file));
  } catch (error) {
    remove();
    throw error;
  }
}

function migrate(connection: DatabaseSync, migrations: readonly Migration[]): void {
  connection.exec(CREATE_MIGRATIONS);
  const applied = new Set(
    connection
      .prepare('SELECT id FROM migrations')
      .all()
      .map((row) => String(row.id)),
  );
  for (const { id, sql } of migrations) {
    if (applied.has(id)) continue;
    inStep(id, () =>
      inTransaction(connection, () => {
        connection.exec(sql);
        connection.prepare('INSERT INTO migrations (id, applied_at) VALUES (?, ?)').run(id, new Date().toISOString());
      }),
    );
  }
}

/** Names the step in the error, and keeps the cause for who looks for its code. */
function inStep(id: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    throw new Error(`the step ${id} failed (${cause instanceof Error ? cause.message : String(cause)})`, { cause });
  }
}

function inTransaction<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has already rolled back after some errors, a full disk among them.
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
