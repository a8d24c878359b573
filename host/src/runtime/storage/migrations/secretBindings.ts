import type { Migration } from './migration.ts';

/** Where each secret of a connection was approved to go. */
export const secretBindingsMigration: Migration = {
  id: '0016-secret-bindings',
  sql: `
    CREATE TABLE secret_bindings (
      connection_id TEXT NOT NULL,
      field TEXT NOT NULL,
      record TEXT NOT NULL,
      -- HMAC-SHA256 with the home's key, which is not in this database.
      mac TEXT NOT NULL,
      PRIMARY KEY (connection_id, field)
    ) STRICT;
  `,
};
