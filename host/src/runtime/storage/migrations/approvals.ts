/** Standing approvals of people: changes of one client to one connection. */
export const approvalsMigration = {
  id: '0006-approvals',
  sql: `
    CREATE TABLE approval_grants (
      id             TEXT PRIMARY KEY,
      principal_id   TEXT NOT NULL,
      principal_name TEXT NOT NULL,
      connection_id  TEXT NOT NULL,
      created_at     TEXT NOT NULL,
      last_used_at   TEXT,
      UNIQUE (principal_id, connection_id)
    ) STRICT;
  `,
} as const;
