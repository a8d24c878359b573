import type { HistoryEntry, SearchHistory } from '../../common/console.ts';
import { Database } from '../storage/database.ts';
import type { Inject } from '../container/inject.ts';

/** Entries that are kept, of all connections together. */
export const MOST_ENTRIES = 10_000;
/** Characters of a statement that are kept. An import's lines can be megabytes. */
const LONGEST_TEXT = 10_000;

/** The status of a statement that was stopped and may do more than read. */
export const MAY_HAVE_CHANGED = 'Stopped before its answer came; its changes may have been made.';

/** The status of a statement that was stopped in an open transaction: a rollback takes its changes back, whatever the server had done of it. */
export const STOPPED_IN_TRANSACTION = 'Stopped in an open transaction; nothing of it was saved then.';

/** How a statement ended. */
export interface StatementEnd {
  readonly outcome: 'ok' | 'failed' | 'cancelled';
  readonly milliseconds: number;
  readonly status?: string | undefined;
  readonly rows?: number | undefined;
}

/** The history of statements, in the home's database. The text that it is given holds no secret (see `withoutSecrets`). */
export class QueryHistory {
  static readonly inject: Inject<typeof QueryHistory> = [Database];

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    // One host owns a home, so nothing runs yet.
    database.connection.prepare("UPDATE console_history SET outcome = 'interrupted' WHERE outcome = 'running'").run();
  }

  /** @param changed - the text is not what was run */
  begin(connectionId: string, text: string, changed: boolean): number {
    const { connection } = this.#database;
    return this.#database.transaction(() => {
      const { lastInsertRowid } = connection
        .prepare(
          `INSERT INTO console_history (connection_id, text, changed, started_at, outcome) SELECT id, ?, ?, ?, 'running' FROM connections
           WHERE id = ?`,
        )
        .run(text.slice(0, LONGEST_TEXT), changed || text.length > LONGEST_TEXT ? 1 : 0, new Date().toISOString(), connectionId);
      connection
        .prepare('DELETE FROM console_history WHERE id <= (SELECT id FROM console_history ORDER BY id DESC LIMIT 1 OFFSET ?)')
        .run(MOST_ENTRIES);
      return Number(lastInsertRowid);
    });
  }

  end(id: number, { outcome, milliseconds, status, rows }: StatementEnd): void {
    this.#database.connection
      .prepare('UPDATE console_history SET outcome = ?, status = ?, milliseconds = ?, rows = ? WHERE id = ?')
      .run(outcome, status?.slice(0, 500) ?? null, milliseconds, rows ?? null, id);
  }

  /** Newest first. */
  search({ connectionId, search, limit, before }: SearchHistory): readonly HistoryEntry[] {
    const words = search.split(/\s+/).filter(Boolean);
    const conditions = ['(? IS NULL OR connection_id = ?)', 'id < ?', ...words.map(() => "text LIKE ? ESCAPE '\\'")];
    return this.#database.connection
      .prepare(`SELECT * FROM console_history WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`)
      .all(
        connectionId ?? null,
        connectionId ?? null,
        before ?? Number.MAX_SAFE_INTEGER,
        ...words.map((word) => `%${word.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`),
        limit,
      )
      .map(fromRow);
  }

  remove(id: number): void {
    this.#database.connection.prepare('DELETE FROM console_history WHERE id = ?').run(id);
  }

  clear(connectionId: string | undefined): void {
    this.#database.connection
      .prepare("DELETE FROM console_history WHERE outcome <> 'running' AND (? IS NULL OR connection_id = ?)")
      .run(connectionId ?? null, connectionId ?? null);
  }
}

function fromRow(row: Record<string, unknown>): HistoryEntry {
  return {
    id: Number(row['id']),
    connectionId: String(row['connection_id']),
    text: String(row['text']),
    changed: row['changed'] === 1,
    startedAt: String(row['started_at']),
    outcome: row['outcome'] as HistoryEntry['outcome'],
    ...(typeof row['status'] === 'string' ? { status: row['status'] } : {}),
    ...(row['milliseconds'] === null ? {} : { milliseconds: Number(row['milliseconds']) }),
    ...(row['rows'] === null ? {} : { rows: Number(row['rows']) }),
  };
}
