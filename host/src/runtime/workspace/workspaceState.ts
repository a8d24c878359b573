import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import type { ClaimedWindow, WorkspaceScope, claimWindowSchema, saveDocumentsSchema } from '../../common/workspaceState.ts';
import { LARGEST_DOCUMENT } from '../../common/workspaceState.ts';
import { Database } from '../storage/database.ts';
import type { Inject } from '../container/inject.ts';

/** The limit of one scope, as JSON; beyond it, the oldest document is forgotten. */
const SCOPE_BYTES = 4 * 1024 * 1024;
const SCOPE_DOCUMENTS = 2_000;
/** Windows whose tabs are remembered. */
const WINDOWS = 12;

/** The state that windows remember, in the home's database. Which windows there are now is known in memory alone: a host that starts has none. */
export class WorkspaceState {
  static readonly inject: Inject<typeof WorkspaceState> = [Database];

  readonly #database: Database;
  readonly #leases = new Map<string, string>();

  constructor(database: Database) {
    this.#database = database;
  }

  documents(scope: WorkspaceScope): Readonly<Record<string, unknown>> {
    const rows = this.#database.connection
      .prepare("SELECT name, value FROM workspace_documents WHERE ifnull(connection_id, '') = ?")
      .all(keyOf(scope));
    return Object.fromEntries(rows.map((row) => [String(row['name']), JSON.parse(String(row['value'])) as unknown]));
  }

  /** @throws HostError `INVALID_REQUEST` for a document that is too large; then none of them is kept */
  save({ documents }: z.output<typeof saveDocumentsSchema>): void {
    const written = documents.map(({ scope, name, value }) => ({
      scope,
      name,
      text: value === undefined ? undefined : bounded(name, value),
    }));
    this.#database.transaction(() => {
      for (const { scope, name, text } of written) {
        // A connection that is gone has nothing to remember.
        if (scope !== 'home' && !this.#isSaved(scope)) continue;
        // Written again, so that the places of a scope are in the order in which they were written.
        this.#database.connection
          .prepare("DELETE FROM workspace_documents WHERE ifnull(connection_id, '') = ? AND name = ?")
          .run(keyOf(scope), name);
        if (text === undefined) continue;
        this.#database.connection
          .prepare('INSERT INTO workspace_documents (connection_id, name, value) VALUES (?, ?, ?)')
          .run(scope === 'home' ? null : scope, name, text);
      }
      for (const scope of new Set(written.map((document) => document.scope))) this.#forgetOldest(scope);
    });
  }

  /**
   * Gives a window its place. A page that was reloaded names its own. Another one takes up the window that was left last, which no page
   * shows now; so two windows never write to one place, and a host that was restarted has the windows that it had.
   */
  claimWindow({ windowId, fresh }: z.output<typeof claimWindowSchema>): ClaimedWindow {
    const claimed = windowId ?? (fresh ? undefined : this.#lastLeft()) ?? randomUUID();
    const lease = randomUUID();
    this.#leases.set(claimed, lease);
    const row = this.#database.connection.prepare('SELECT value FROM workspace_windows WHERE id = ?').get(claimed);
    return row === undefined
      ? { windowId: claimed, lease }
      : { windowId: claimed, lease, workspace: JSON.parse(String(row['value'])) as unknown };
  }

  /** @throws HostError `INVALID_REQUEST` for one that is too large */
  saveWindow(windowId: string, workspace: unknown): void {
    const text = bounded('window', workspace);
    this.#database.transaction(() => {
      const { connection } = this.#database;
      connection.prepare('DELETE FROM workspace_windows WHERE id = ?').run(windowId);
      if (workspace === null) return;
      connection.prepare('INSERT INTO workspace_windows (id, value) VALUES (?, ?)').run(windowId, text);
      connection
        .prepare(
          'DELETE FROM workspace_windows WHERE place NOT IN (SELECT place FROM workspace_windows ORDER BY place DESC LIMIT ?)',
        )
        .run(WINDOWS);
    });
  }

  releaseWindow(windowId: string, lease: string): void {
    if (this.#leases.get(windowId) === lease) this.#leases.delete(windowId);
  }

  #lastLeft(): string | undefined {
    return this.#database.connection
      .prepare('SELECT id FROM workspace_windows ORDER BY place DESC')
      .all()
      .map((row) => String(row['id']))
      .find((id) => !this.#leases.has(id));
  }

  #isSaved(connectionId: string): boolean {
    return this.#database.connection.prepare('SELECT 1 FROM connections WHERE id = ?').get(connectionId) !== undefined;
  }

  #forgetOldest(scope: WorkspaceScope): void {
    const rows = this.#database.connection
      .prepare(
        "SELECT place, length(value) AS size FROM workspace_documents WHERE ifnull(connection_id, '') = ? ORDER BY place DESC",
      )
      .all(keyOf(scope));
    let bytes = 0;
    rows.forEach((row, index) => {
      bytes += Number(row['size']);
      if (bytes <= SCOPE_BYTES && index < SCOPE_DOCUMENTS) return;
      this.#database.connection.prepare('DELETE FROM workspace_documents WHERE place = ?').run(Number(row['place']));
    });
  }
}

const keyOf = (scope: WorkspaceScope): string => (scope === 'home' ? '' : scope);

function bounded(name: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= LARGEST_DOCUMENT) return text;
  throw new HostError('INVALID_REQUEST', `The state "${name.slice(0, 80)}" is larger than 1 MB.`, {
    details: { advice: 'It is stored while the window is open.' },
  });
}
