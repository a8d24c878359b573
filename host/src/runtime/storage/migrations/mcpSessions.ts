import type { Migration } from './migration.ts';

/** Sessions of MCP clients, so that a restart of the host does not end them. */
export const mcpSessionsMigration: Migration = {
  id: '0025-mcp-sessions',
  sql: `
    CREATE TABLE mcp_sessions (
      id_hash TEXT PRIMARY KEY,
      principal_id TEXT NOT NULL,
      initialize TEXT NOT NULL,
      log_level TEXT,
      last_used_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX mcp_sessions_by_use ON mcp_sessions (principal_id, last_used_at);
  `,
};
