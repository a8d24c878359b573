import type { Migration } from './migration.ts';

/** Where a registry's archives may come from beside its own origin, and where it was when it was first reached. */
export const registryTrustMigration: Migration = {
  id: '0021-registry-trust',
  sql: `
    ALTER TABLE driver_registries ADD COLUMN download_origins TEXT NOT NULL DEFAULT '[]';
    CREATE TABLE registry_places (url TEXT PRIMARY KEY, place TEXT NOT NULL CHECK (place IN ('public', 'private'))) STRICT;
  `,
};
