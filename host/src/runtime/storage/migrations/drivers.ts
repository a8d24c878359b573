import type { Migration } from './migration.ts';

/** Installed driver versions, which of them new sessions use, and whose keys count. */
export const driversMigration: Migration = {
  id: '0002-drivers',
  sql: `
    CREATE TABLE driver_versions (
      driver_id TEXT NOT NULL,
      version TEXT NOT NULL,
      package_name TEXT NOT NULL,
      registry_url TEXT,
      integrity TEXT NOT NULL,
      key_id TEXT NOT NULL,
      publisher_id TEXT NOT NULL,
      publisher_name TEXT NOT NULL,
      publisher_origin TEXT NOT NULL,
      installed_at TEXT NOT NULL,
      PRIMARY KEY (driver_id, version)
    ) STRICT;
    CREATE TABLE current_drivers (
      driver_id TEXT PRIMARY KEY,
      version TEXT NOT NULL,
      FOREIGN KEY (driver_id, version) REFERENCES driver_versions (driver_id, version)
    ) STRICT;
    CREATE TABLE trusted_publishers (
      key_id TEXT PRIMARY KEY,
      publisher_id TEXT NOT NULL,
      name TEXT NOT NULL,
      public_key TEXT NOT NULL,
      added_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE revoked_keys (
      key_id TEXT PRIMARY KEY,
      revoked_at TEXT NOT NULL
    ) STRICT;
  `,
};
