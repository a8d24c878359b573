import type { Migration } from './migration.ts';

/** Clients that registered by OAuth, and the access that a person gave them. No text of a token is stored. */
export const oauthMigration: Migration = {
  id: '0026-oauth',
  sql: `
    CREATE TABLE oauth_clients (
      id         TEXT PRIMARY KEY,
      name       TEXT NOT NULL,
      -- A JSON array of addresses of this machine.
      redirects  TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      -- When a person last gave it access.
      used_at    INTEGER
    ) STRICT;
    CREATE TABLE oauth_grants (
      token_id          TEXT PRIMARY KEY REFERENCES tokens (id) ON DELETE CASCADE,
      client_id         TEXT NOT NULL,
      family_hash       BLOB NOT NULL UNIQUE CHECK (length(family_hash) = 32),
      access_salt       BLOB NOT NULL CHECK (length(access_salt) = 16),
      access_hash       BLOB NOT NULL CHECK (length(access_hash) = 32),
      access_expires_at INTEGER NOT NULL,
      refresh_salt      BLOB NOT NULL CHECK (length(refresh_salt) = 16),
      refresh_hash      BLOB NOT NULL CHECK (length(refresh_hash) = 32)
    ) STRICT;
  `,
};
