import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { HostError } from '../../common/errors.ts';
import type { Migration } from './migration.ts';

/**
 * The home's one database. Opened by the host that owns the home and by nobody else, so calls are synchronous and need no busy handling.
 */
export class Database implements Disposable {
  readonly connection: DatabaseSync;

  /**
   * Opens the file, makes it readable to its owner alone, and applies the migrations that it lacks, each in a transaction.
   *
   * @param file - a path, or `:memory:`
   * @throws HostError `HOME_UNUSABLE` for a file that a newer version has written, or that is no database
   */
  constructor(file: string, migrations: readonly Migration[]) {
    try {
      this.connection = new DatabaseSync(file);
      if (file !== ':memory:') chmodSync(file, 0o600);
      // Locked once and for all: no other program that asks for a lock gets one, and no statement has to ask for its own (30 µs each). WAL with NORMAL: a crash of the process loses nothing, a power cut at most the last commits.
      this.connection.exec(
        'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;',
      );
    } catch (cause) {
      throw new HostError('HOME_UNUSABLE', `The database ${file} cannot be opened.`, { cause });
    }
    this.#migrate(file, migrations);
  }

  #migrate(file: string, migrations: readonly Migration[]): void {
    this.connection.exec('CREATE TABLE IF NOT EXISTS migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL) STRICT');
    const applied = new Set(
      this.connection
        .prepare('SELECT id FROM migrations')
        .all()
        .map((row) => String(row.id)),
    );
    const known = new Set(migrations.map((migration) => migration.id));
    const unknown = [...applied].find((id) => !known.has(id));
    if (unknown !== undefined) {
      this.connection.close();
      throw new HostError(
        'HOME_UNUSABLE',
        `The database ${file} was written by a newer version of Tabularium (it has ${unknown}).`,
        {
          details: { advice: 'Update Tabularium, or set TABULARIUM_HOME to another folder.' },
        },
      );
    }
    for (const migration of migrations) {
      if (applied.has(migration.id)) continue;
      this.transaction(() => {
        this.connection.exec(migration.sql);
        this.connection
          .prepare('INSERT INTO migrations (id, applied_at) VALUES (?, ?)')
          .run(migration.id, new Date().toISOString());
      });
    }
  }

  /** Runs `work` in a transaction: all of it happens, or nothing. */
  transaction<T>(work: () => T): T {
    this.connection.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.connection.exec('COMMIT');
      return result;
    } catch (error) {
      this.connection.exec('ROLLBACK');
      throw error;
    }
  }

  [Symbol.dispose](): void {
    if (this.connection.isOpen) this.connection.close();
  }
}
