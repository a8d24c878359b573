/** The tables of {@link TokenStore}. The text of a token is never stored. */
export const tokensMigration = {
  id: '0003-tokens',
  sql: `
    CREATE TABLE tokens (
      id           TEXT PRIMARY KEY,
      kind         TEXT NOT NULL CHECK (kind IN ('user', 'bridge')),
      name         TEXT NOT NULL,
      prefix       TEXT NOT NULL,
      salt         BLOB NOT NULL CHECK (length(salt) = 16),
      hash         BLOB NOT NULL CHECK (length(hash) = 32),
      scope        TEXT NOT NULL CHECK (scope IN ('readOnly', 'readWrite', 'fullAccess')),
      -- A JSON array of connection ids; NULL: every connection.
      connections  TEXT,
      created_at   TEXT NOT NULL,
      last_used_at TEXT,
      expires_at   TEXT,
      revoked_at   TEXT
    ) STRICT;
    CREATE INDEX tokens_by_prefix ON tokens (prefix);
  `,
} as const;
