import type { Migration } from './migration.ts';

/** Connections in read-only mode, for everybody. */
export const readOnlyConnectionsMigration: Migration = {
  id: '0024-read-only-connections',
  sql: `ALTER TABLE connections ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0;`,
};
