import type { Migration } from './migration.ts';

/** The addresses of each connection that a person has entered or confirmed. */
export const confirmedOriginsMigration: Migration = {
  id: '0032-confirmed-origins',
  sql: `
    CREATE TABLE confirmed_origins (
      connection_id TEXT NOT NULL PRIMARY KEY,
      record TEXT NOT NULL,
      -- HMAC-SHA256 with the home's key, which is not in this database.
      mac TEXT NOT NULL
    ) STRICT;
  `,
};
