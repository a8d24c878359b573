/** One step of the database's shape. Never changed once released; ids are applied in the order of the list. */
export interface Migration {
  /** Number and name, such as `0001-connections`. */
  readonly id: string;
  readonly sql: string;
}

/** Makes the table of the migrations that a database has. */
export const CREATE_MIGRATIONS = 'CREATE TABLE IF NOT EXISTS migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL) STRICT';
