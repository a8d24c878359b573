import type { Migration } from './migration.ts';

/** Whole exports whose number of rows differs from the database's count, until a person decides whether to keep the file. */
export const undecidedFilesMigration: Migration = {
  id: '0023-undecided-files',
  sql: `
    CREATE TABLE undecided_files (
      path TEXT PRIMARY KEY,
      record TEXT NOT NULL
    ) STRICT;
  `,
};
