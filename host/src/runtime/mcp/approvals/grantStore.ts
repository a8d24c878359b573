import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { HostError } from '../../../common/errors.ts';
import type { ApprovalGrantInfo } from '../../../common/integrations.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import type { Inject } from '../../container/inject.ts';

const rowSchema = z.object({
  id: z.string(),
  principal_id: z.string(),
  principal_name: z.string(),
  connection_id: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});

/** A connection, and where it leads: see `connectionTarget`. */
export interface GrantedConnection {
  readonly id: string;
  readonly target: string;
}

/** Standing approvals: clients whose changes to a connection need no question any more. Never for destructive changes. */
export class GrantStore {
  static readonly inject: Inject<typeof GrantStore> = [DATABASE_CONNECTION];

  readonly #database: DatabaseSync;
  readonly #now: () => number;

  /** @param database - with the table of `approvalsMigration` and `approvalTargetsMigration` */
  constructor(database: DatabaseSync, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
  }

  /** Records one for the server that the connection leads to. One for another server that it led to is replaced. */
  grant(principal: { readonly id: string; readonly name: string }, connection: GrantedConnection): void {
    this.#database
      .prepare(
        `INSERT INTO approval_grants (id, principal_id, principal_name, connection_id, target, created_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (principal_id, connection_id) DO UPDATE
         SET id = excluded.id, target = excluded.target, created_at = excluded.created_at, last_used_at = NULL
         WHERE target <> excluded.target`,
      )
      .run(randomUUID(), principal.id, principal.name, connection.id, connection.target, this.#time());
  }

  /** Whether there is one for the server that the connection leads to; notes that it was used. */
  use(principalId: string, connection: GrantedConnection): boolean {
    return (
      this.#database
        .prepare('UPDATE approval_grants SET last_used_at = ? WHERE principal_id = ? AND connection_id = ? AND target = ?')
        .run(this.#time(), principalId, connection.id, connection.target).changes > 0
    );
  }

  /** Oldest first. */
  list(): readonly ApprovalGrantInfo[] {
    return this.#database
      .prepare('SELECT * FROM approval_grants ORDER BY created_at, rowid')
      .all()
      .map((row) => rowSchema.parse(row))
      .map((row) => ({
        id: row.id,
        principalId: row.principal_id,
        principalName: row.principal_name,
        connectionId: row.connection_id,
        createdAt: row.created_at,
        ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
      }));
  }

  /** @throws HostError `INVALID_REQUEST` */
  revoke(id: string): void {
    const { changes } = this.#database.prepare('DELETE FROM approval_grants WHERE id = ?').run(id);
    if (changes === 0) throw new HostError('INVALID_REQUEST', 'The approval no longer exists.');
  }

  /** Removes the approvals of a token or a connection that is gone. */
  forget(whose: { readonly principalId: string } | { readonly connectionId: string }): void {
    if ('principalId' in whose)
      this.#database.prepare('DELETE FROM approval_grants WHERE principal_id = ?').run(whose.principalId);
    else this.#database.prepare('DELETE FROM approval_grants WHERE connection_id = ?').run(whose.connectionId);
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}
