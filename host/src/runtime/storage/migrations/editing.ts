import type { Migration } from './migration.ts';

/** Staged changes go with their connection. */
export const editingMigration: Migration = {
  id: '0004-editing',
  sql: `
    CREATE TABLE edit_rows (
      connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      table_key TEXT NOT NULL,
      row_id TEXT NOT NULL,
      content TEXT NOT NULL,
      problem TEXT,
      sending INTEGER NOT NULL,
      PRIMARY KEY (connection_id, table_key, row_id)
    ) STRICT;
    CREATE TABLE edit_steps (
      connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      table_key TEXT NOT NULL,
      number INTEGER NOT NULL,
      undone INTEGER NOT NULL,
      changes TEXT NOT NULL,
      PRIMARY KEY (connection_id, table_key, number)
    ) STRICT;
  `,
};
