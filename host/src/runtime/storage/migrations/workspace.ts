import type { Migration } from './migration.ts';

/** The state that windows remember. A connection takes its documents with it. */
export const workspaceMigration: Migration = {
  id: '0010-workspace',
  sql: `
    CREATE TABLE workspace_documents (
      place INTEGER PRIMARY KEY AUTOINCREMENT,
      connection_id TEXT REFERENCES connections (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      value TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX workspace_documents_name ON workspace_documents (ifnull(connection_id, ''), name);
    CREATE TABLE workspace_windows (
      place INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      value TEXT NOT NULL
    ) STRICT;
  `,
};
