import type { Migration } from './migration.ts';

/** People's choices about drivers, which versions have proven themselves, registries, and publishers that a person was asked about. */
export const driverManagementMigration: Migration = {
  id: '0004-driver-management',
  sql: `
    -- Whether a session of this version has ended in good order, or has lived for a while.
    ALTER TABLE driver_versions ADD COLUMN proven INTEGER NOT NULL DEFAULT 0;
    -- The version that new sessions used before the current one.
    ALTER TABLE current_drivers ADD COLUMN previous TEXT;
    CREATE TABLE driver_choices (
      driver_id TEXT PRIMARY KEY,
      disabled INTEGER NOT NULL DEFAULT 0,
      pinned TEXT
    ) STRICT;
    -- Versions that were taken out of use: no update brings them back by itself.
    CREATE TABLE refused_versions (
      driver_id TEXT NOT NULL,
      version TEXT NOT NULL,
      reason TEXT NOT NULL,
      crashed INTEGER NOT NULL,
      refused_at TEXT NOT NULL,
      PRIMARY KEY (driver_id, version)
    ) STRICT;
    CREATE TABLE developer_folders (
      driver_id TEXT PRIMARY KEY,
      folder TEXT NOT NULL,
      package_name TEXT NOT NULL,
      version TEXT NOT NULL,
      added_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE asked_publishers (
      key_id TEXT PRIMARY KEY,
      publisher_id TEXT NOT NULL,
      name TEXT NOT NULL,
      public_key TEXT NOT NULL,
      asked_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE driver_registries (
      url TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      scopes TEXT NOT NULL,
      packages TEXT NOT NULL,
      has_credential INTEGER NOT NULL,
      position INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE driver_network (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL) STRICT;
  `,
};
