import { APPLICATION_ID } from '../databaseFile.ts';
import type { Migration } from './migration.ts';

/** Marks the file as ours, and records which files outside the database may be deleted at the next start. */
export const dataDirectoryMigration: Migration = {
  id: '0012-data-directory',
  sql: `
    PRAGMA application_id = ${APPLICATION_ID};
    -- Driver versions that were removed, until their folders are gone, and those whose installation has not ended. No other folder of a driver is ever deleted at start.
    CREATE TABLE removed_driver_versions (
      driver_id TEXT NOT NULL,
      version TEXT NOT NULL,
      PRIMARY KEY (driver_id, version)
    ) STRICT;
    -- Exports that have not ended: the file, and what identifies it, so that no file of the same name is taken for it.
    CREATE TABLE unfinished_files (
      path TEXT PRIMARY KEY,
      device TEXT NOT NULL,
      inode TEXT NOT NULL,
      born TEXT NOT NULL
    ) STRICT;
  `,
};
