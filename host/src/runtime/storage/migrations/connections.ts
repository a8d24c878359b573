import type { Migration } from './migration.ts';

export const connectionsMigration: Migration = {
  id: '0001-connections',
  sql: `
    CREATE TABLE connections (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE UNIQUE,
      driver TEXT NOT NULL,
      settings TEXT NOT NULL,
      secrets TEXT NOT NULL,
      external_clients TEXT NOT NULL,
      ai_policy TEXT NOT NULL,
      color TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE preferences (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
};
