import type { Migration } from './migration.ts';

/** The history goes with its connection. A query that a person saved for a connection that is removed stays, for every connection. */
export const consoleMigration: Migration = {
  id: '0005-console',
  sql: `
    CREATE TABLE console_history (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      text TEXT NOT NULL,
      changed INTEGER NOT NULL,
      started_at TEXT NOT NULL,
      outcome TEXT NOT NULL,
      status TEXT,
      milliseconds REAL,
      rows INTEGER
    ) STRICT;
    CREATE INDEX console_history_of_connection ON console_history (connection_id, id);
    CREATE TABLE saved_requests (
      id TEXT PRIMARY KEY,
      connection_id TEXT REFERENCES connections (id) ON DELETE SET NULL,
      name TEXT NOT NULL,
      text TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
  `,
};
