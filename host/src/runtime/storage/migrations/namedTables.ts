import type { Migration } from './migration.ts';

/** Tables that were opened by name. A connection takes them with it. */
export const namedTablesMigration: Migration = {
  id: '0022-named-tables',
  sql: `
    CREATE TABLE named_tables (
      place INTEGER PRIMARY KEY AUTOINCREMENT,
      connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      ref TEXT NOT NULL,
      UNIQUE (connection_id, ref)
    ) STRICT;
  `,
};
