import type { Migration } from './migration.ts';

/** Permissions of drivers beyond the sandbox that a person granted, and questions that are not answered yet. */
export const widerGrantsMigration: Migration = {
  id: '0009-wider-grants',
  sql: `
    CREATE TABLE allowed_grants (
      driver_id TEXT NOT NULL,
      -- The publisher's fingerprint; for a developer's folder, which nobody signed, the folder.
      publisher TEXT NOT NULL,
      wider_grant TEXT NOT NULL,
      allowed_at TEXT NOT NULL,
      PRIMARY KEY (driver_id, publisher, wider_grant)
    ) STRICT;
    CREATE TABLE asked_grants (
      driver_id TEXT NOT NULL,
      publisher TEXT NOT NULL,
      wider_grant TEXT NOT NULL,
      PRIMARY KEY (driver_id, publisher, wider_grant)
    ) STRICT;
  `,
};
