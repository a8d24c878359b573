import type { Migration } from './migration.ts';

/** Runs of operations, so that one that was interrupted is found again, and one that has ended can be undone. */
export const operationsMigration: Migration = {
  id: '0028-operations',
  sql: `
    CREATE TABLE operation_runs (
      id            TEXT PRIMARY KEY,
      connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      -- The run as windows see it, as JSON.
      run           TEXT NOT NULL,
      -- The operation with its input, as JSON, and the facts that its plan rests on.
      call          TEXT NOT NULL,
      basis         TEXT NOT NULL,
      -- Of the driver, opaque.
      checkpoint    TEXT,
      -- What takes it back, as JSON.
      undo          TEXT
    ) STRICT;
  `,
};
