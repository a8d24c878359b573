import type { Migration } from './migration.ts';

/** Imports that are in progress, were interrupted, or have ended and are still listed. */
export const importsMigration: Migration = {
  id: '0028-imports',
  sql: `
    CREATE TABLE imports (
      id TEXT PRIMARY KEY,
      record TEXT NOT NULL
    ) STRICT;
  `,
};
