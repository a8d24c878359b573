import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HistoryEntry, SearchHistory } from '../../common/console.ts';
import { Database } from '../storage/database.ts';
import { searchPatterns } from '../storage/searchPatterns.ts';
import type { Inject } from '../container/inject.ts';

/** Entries that are kept, of all connections together. */
export const MOST_ENTRIES = 10_000;
/** Characters of a statement that are kept. An import's lines can be megabytes. */
const LONGEST_TEXT = 10_000;

/** The status of a statement that was stopped and may do more than read. */
export const MAY_HAVE_CHANGED = 'Stopped before its answer came; its changes may have been made.';

/** The status of a statement that was stopped in an open transaction: a rollback takes its changes back, whatever the server had done of it. */
export const STOPPED_IN_TRANSACTION = 'Stopped in an open transaction; nothing of it was saved then.';

/** Entries that are read before others get a turn: 2.5 MB of text. */
const PIECE = 250;

/** A search of the history. */
export interface HistoryQuery extends Omit<SearchHistory, 'connectionId'> {
  /** Left out: of every connection. */
  readonly connectionIds?: readonly string[];
}

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

  /** Newest first; in pieces, because a search reads every text until it has enough. */
  async search({ connectionIds, search, limit, before }: HistoryQuery, signal?: AbortSignal): Promise<readonly HistoryEntry[]> {
    const patterns = searchPatterns(search);
    const among = connectionIds === undefined ? [] : [JSON.stringify(connectionIds)];
    const conditions = [
      'id < ?',
      'id >= ?',
      ...among.map(() => 'connection_id IN (SELECT value FROM json_each(?))'),
      ...patterns.map(() => "text LIKE ? ESCAPE '\\'"),
    ];
    const { connection } = this.#database;
    const piece = connection.prepare(`SELECT * FROM console_history WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`);
    const edge = connection.prepare(
      'SELECT min(id) AS edge FROM (SELECT id FROM console_history WHERE id < ? ORDER BY id DESC LIMIT ?)',
    );
    const found: HistoryEntry[] = [];
    for (let to = before ?? Number.MAX_SAFE_INTEGER; ;) {
      const from = edge.get(to, PIECE)?.['edge'];
      if (typeof from !== 'number') break;
      found.push(...piece.all(to, from, ...among, ...patterns, limit - found.length).map(fromRow));
      if (found.length === limit) break;
      to = from;
      await nextTurn(undefined, { signal });
    }
    return found;
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
