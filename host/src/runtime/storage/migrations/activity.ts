/** The actions of clients, as a chain: each entry holds the hash of the one before. */
export const activityMigration = {
  id: '0007-activity',
  sql: `
    CREATE TABLE activity (
      sequence         INTEGER PRIMARY KEY,
      time             TEXT NOT NULL,
      kind             TEXT NOT NULL,
      token_id         TEXT,
      token_name       TEXT,
      client           TEXT,
      connection_id    TEXT,
      connection_name  TEXT,
      action           TEXT NOT NULL,
      outcome          TEXT NOT NULL,
      code             TEXT,
      milliseconds     REAL,
      approved_by      TEXT,
      statement_digest TEXT,
      statement        TEXT,
      previous_hash    TEXT NOT NULL,
      hash             TEXT NOT NULL
    ) STRICT;
    CREATE INDEX activity_by_time ON activity (time);
    -- Where the chain begins, after old entries were taken off, and where it ends.
    CREATE TABLE activity_chain (
      id         INTEGER PRIMARY KEY CHECK (id = 1),
      first_hash TEXT NOT NULL,
      last_hash  TEXT NOT NULL,
      last_sequence INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE integration_settings (
      id    INTEGER PRIMARY KEY CHECK (id = 1),
      value TEXT NOT NULL
    ) STRICT;
  `,
} as const;
