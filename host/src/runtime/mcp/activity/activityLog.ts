import { hash as digestOf } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { ACTIVITY_KINDS, ACTIVITY_OUTCOMES } from '../../../common/integrations.ts';
import type { ActivityEntry, ActivityFilter, ActivityPage, ActivityVerification } from '../../../common/integrations.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { storageFailureCode } from '../../errors/storageFailure.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import { searchPatterns } from '../../storage/searchPatterns.ts';
import { IntegrationSettingsStore } from '../access/integrationSettings.ts';
import { loggerOf } from '../../storage/logger.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';

/** Entries that are older are taken off. */
export const ACTIVITY_MILLISECONDS = 90 * 86_400_000;
/** How often it is looked for such. */
const PRUNE_EVERY_MILLISECONDS = 3_600_000;
/** Entries that are kept, and bytes of their statements; beyond it the oldest are taken off. */
export const MOST_ACTIVITY = { entries: 200_000, statementBytes: 128 * 1024 * 1024 };
/** Entries that are read or taken off before others get a turn: 2.5 MB of statements. */
const PIECE = 250;
/** Characters of a statement that are kept. */
const LONGEST_LOGGED_STATEMENT = 10_000;

/** The entries of read-only calls that a killed process may lose. */
export const WRITTEN_WITHIN_MILLISECONDS = 100;

/** How long entries wait after the disk was full, and how many: about 10 MB. */
const TRY_AGAIN_MILLISECONDS = 5_000;
const MOST_DELAYED = 10_000;

const GENESIS = '0'.repeat(64);
/** In the order in which they are hashed. */
const FIELDS = [
  'sequence',
  'time',
  'kind',
  'token_id',
  'token_name',
  'client',
  'connection_id',
  'connection_name',
  'action',
  'outcome',
  'code',
  'milliseconds',
  'approved_by',
  'statement_digest',
  'statement',
] as const;

/** The event; number and hashes are the log's own. */
export type NewActivity = Omit<ActivityEntry, 'sequence' | 'time' | 'statementDigest' | 'statement'> & {
  readonly time?: Date;
  readonly statement?: string;
};

const text = z.string().nullable();
const rowSchema = z.object({
  sequence: z.number(),
  time: z.string(),
  kind: z.enum(ACTIVITY_KINDS),
  token_id: text,
  token_name: text,
  client: text,
  connection_id: text,
  connection_name: text,
  action: z.string(),
  outcome: z.enum(ACTIVITY_OUTCOMES),
  code: text,
  milliseconds: z.number().nullable(),
  approved_by: text,
  statement_digest: text,
  statement: text,
});
const chainSchema = z.object({
  first_hash: z.string(),
  last_hash: z.string(),
  last_sequence: z.number(),
  statement_bytes: z.number(),
});
type Chain = z.output<typeof chainSchema>;
const EMPTY: Chain = { first_hash: GENESIS, last_hash: GENESIS, last_sequence: 0, statement_bytes: 0 };

export interface ActivityLogOptions {
  readonly logStatements: () => boolean;
  readonly onProblem: (error: unknown) => void;
  readonly now?: () => number;
  /** Default: {@link MOST_ACTIVITY}. */
  readonly most?: typeof MOST_ACTIVITY;
}

type Values = Record<(typeof FIELDS)[number], SQLOutputValue>;

/** The actions of clients, for 90 days, as far as {@link MOST_ACTIVITY} has room. A chain of hashes shows when an entry was changed, taken out or put in afterwards. */
export class ActivityLog implements Disposable {
  static readonly inject: Inject<typeof ActivityLog> = [
    DATABASE_CONNECTION,
    from([IntegrationSettingsStore, loggerOf('mcp')], (settings, logger) => ({
      logStatements: () => settings.get().logStatements,
      onProblem: (error: unknown) => logger.error('the activity of MCP clients could not be written', error),
    })),
  ];

  readonly #database: DatabaseSync;
  readonly #logStatements: () => boolean;
  readonly #onProblem: (error: unknown) => void;
  readonly #now: () => number;
  readonly #insert: StatementSync;
  readonly #saveChain: StatementSync;
  readonly #most: typeof MOST_ACTIVITY;
  #chain: Chain;
  #lookedForOld = 0;
  /** The last entry that is too old. */
  #oldUpTo = 0;
  #pruning: NodeJS.Immediate | undefined;
  /** Runs that verify the chain: nothing is taken off under them. */
  #verifying = 0;
  /** Entries yet to be written, in one transaction: a transaction for each took 65 µs of a call, a tenth of all of it. */
  #waiting: Values[] = [];
  #flushing: NodeJS.Timeout | undefined;

  /**
   * @param database - with the tables of `activityMigration` and `activityBytesMigration`
   * @param options - `logStatements`: asked for every entry; `onProblem`: called when entries could not be written: their calls are over,
   * and must not fail for it
   */
  constructor(database: DatabaseSync, { logStatements, onProblem, now = Date.now, most = MOST_ACTIVITY }: ActivityLogOptions) {
    this.#database = database;
    this.#logStatements = logStatements;
    this.#onProblem = onProblem;
    this.#now = now;
    this.#most = most;
    const columns = [...FIELDS, 'previous_hash', 'hash'];
    this.#insert = database.prepare(`INSERT INTO activity (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    this.#saveChain = database.prepare(
      `INSERT INTO activity_chain (id, first_hash, last_hash, last_sequence, statement_bytes) VALUES (1, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET first_hash = excluded.first_hash, last_hash = excluded.last_hash, last_sequence = excluded.last_sequence,
       statement_bytes = excluded.statement_bytes`,
    );
    const row = database.prepare(`SELECT ${Object.keys(EMPTY).join(', ')} FROM activity_chain`).get();
    this.#chain = row === undefined ? EMPTY : chainSchema.parse(row);
  }

  /**
   * Takes an entry. Every list and page asked for from here on has it. What changed something is written at once, and so before its answer is
   * sent; what only read, within `WRITTEN_WITHIN_MILLISECONDS`.
   */
  add(activity: NewActivity): void {
    const { statement } = activity;
    this.#waiting.push({
      // Given when it is written.
      sequence: null,
      time: (activity.time ?? new Date(this.#now())).toISOString(),
      kind: activity.kind,
      token_id: activity.tokenId ?? null,
      token_name: activity.tokenName ?? null,
      client: activity.client ?? null,
      connection_id: activity.connectionId ?? null,
      connection_name: activity.connectionName ?? null,
      action: activity.action,
      outcome: activity.outcome,
      code: activity.code ?? null,
      milliseconds: activity.milliseconds === undefined ? null : Math.round(activity.milliseconds * 10) / 10,
      approved_by: activity.approvedBy ?? null,
      statement_digest: statement === undefined ? null : digestOf('sha256', statement),
      statement: statement === undefined || !this.#logStatements() ? null : statement.slice(0, LONGEST_LOGGED_STATEMENT),
    });
    if (statement !== undefined || activity.kind === 'administration') this.#flush();
    else this.#flushing ??= setTimeout(() => this.#flush(), WRITTEN_WITHIN_MILLISECONDS);
  }

  /** Writes what waits. To be called before the database is closed. */
  [Symbol.dispose](): void {
    this.#flush();
    clearImmediate(this.#pruning);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      this.#prune();
      this.#write(waiting);
    } catch (error) {
      if (storageFailureCode(error) === 'DISK_FULL') return this.#delay(waiting, error);
      // One that cannot be written, whosever it is, takes no other with it.
      for (const values of waiting) this.#writeAlone(values);
    }
  }

  /** Entries wait in memory until the disk has space again; when there are too many, the oldest are given up. */
  #delay(waiting: Values[], error: unknown): void {
    this.#onProblem(error);
    this.#waiting = [...waiting, ...this.#waiting].slice(-MOST_DELAYED);
    this.#flushing = setTimeout(() => this.#flush(), TRY_AGAIN_MILLISECONDS).unref();
  }

  #writeAlone(values: Values): void {
    try {
      this.#write([values]);
    } catch (error) {
      this.#onProblem(error);
    }
  }

  #write(entries: readonly Values[]): void {
    this.#change(() => {
      const chain = { ...this.#chain };
      for (const values of entries) {
        chain.last_sequence += 1;
        values.sequence = chain.last_sequence;
        const hash = hashOf(chain.last_hash, values);
        this.#insert.run(...FIELDS.map((field) => values[field]), chain.last_hash, hash);
        chain.last_hash = hash;
        chain.statement_bytes += Buffer.byteLength(String(values.statement ?? ''));
      }
      return chain;
    });
  }

  /** Changes entries and chain together, or neither. */
  #change(work: () => Chain): void {
    this.#database.exec('SAVEPOINT activity');
    try {
      const chain = work();
      this.#saveChain.run(chain.first_hash, chain.last_hash, chain.last_sequence, chain.statement_bytes);
      this.#database.exec('RELEASE activity');
      this.#chain = chain;
    } catch (error) {
      // SQLite has already rolled everything back after some errors, a full disk among them.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK TO activity; RELEASE activity');
      throw error;
    }
  }

  /** Newest first. */
  async list(filter: ActivityFilter, signal?: AbortSignal): Promise<ActivityPage> {
    this.#flush();
    const { where, values } = conditionsOf(filter);
    const among = this.#database.prepare(
      `SELECT ${FIELDS.join(', ')} FROM activity WHERE sequence < ? AND sequence >= ? AND ${where} ORDER BY sequence DESC LIMIT ?`,
    );
    const edge = this.#database.prepare(
      'SELECT min(sequence) AS edge FROM (SELECT sequence FROM activity WHERE sequence < ? ORDER BY sequence DESC LIMIT ?)',
    );
    const entries: ActivityEntry[] = [];
    for (let before = filter.before ?? Number.MAX_SAFE_INTEGER; ;) {
      const from = edge.get(before, PIECE)?.['edge'];
      if (typeof from !== 'number') break;
      entries.push(...among.all(before, from, ...values, filter.limit + 1 - entries.length).map(toEntry));
      if (entries.length > filter.limit) break;
      before = from;
      await nextTurn(undefined, { signal });
    }
    return { entries: entries.slice(0, filter.limit), more: entries.length > filter.limit };
  }

  /** Everything that fits, oldest first, in pieces: a log of 90 days is not for the memory. */
  async *all(filter: ActivityFilter): AsyncGenerator<readonly ActivityEntry[]> {
    this.#flush();
    const { where, values } = conditionsOf(filter);
    const among = this.#database.prepare(
      `SELECT ${FIELDS.join(', ')} FROM activity WHERE sequence > ? AND sequence <= ? AND ${where} ORDER BY sequence`,
    );
    const edge = this.#database.prepare(
      'SELECT max(sequence) AS edge FROM (SELECT sequence FROM activity WHERE sequence > ? ORDER BY sequence LIMIT ?)',
    );
    for (let after = Number.MIN_SAFE_INTEGER; ;) {
      const to = edge.get(after, PIECE)?.['edge'];
      if (typeof to !== 'number') return;
      yield among.all(after, to, ...values).map(toEntry);
      after = to;
      await nextTurn();
    }
  }

  /** Goes through the whole chain, in pieces. Entries that are added meanwhile are verified too. */
  async verify(signal?: AbortSignal): Promise<ActivityVerification> {
    this.#flush();
    this.#verifying += 1;
    try {
      const piece = this.#database.prepare('SELECT * FROM activity WHERE sequence > ? ORDER BY sequence LIMIT ?');
      let previous = this.#chain.first_hash;
      let entries = 0;
      let sequence: number | undefined;
      for (;;) {
        const rows = piece.all(sequence ?? Number.MIN_SAFE_INTEGER, PIECE);
        for (const row of rows) {
          const number = Number(row['sequence']);
          const fits =
            row['previous_hash'] === previous &&
            row['hash'] === hashOf(previous, row) &&
            (sequence === undefined || number === sequence + 1);
          if (!fits) return { whole: false, entries, brokenAt: number };
          previous = String(row['hash']);
          sequence = number;
          entries += 1;
        }
        if (rows.length < PIECE) break;
        await nextTurn(undefined, { signal });
      }
      const ended = previous === this.#chain.last_hash && (sequence === undefined || sequence === this.#chain.last_sequence);
      return ended ? { whole: true, entries } : { whole: false, entries, brokenAt: (sequence ?? 0) + 1 };
    } finally {
      this.#verifying -= 1;
    }
  }

  /** Takes a piece of what is too old or too much off, and the rest in turns of its own. */
  #prune(): void {
    if (this.#verifying > 0 || !this.#removePiece()) return;
    this.#pruning ??= setImmediate(() => {
      this.#pruning = undefined;
      try {
        this.#prune();
      } catch (error) {
        this.#onProblem(error);
      }
    });
  }

  /** @returns whether there may be more */
  #removePiece(): boolean {
    const upTo = Math.max(this.#lastOld(), this.#chain.last_sequence - this.#most.entries);
    let { statement_bytes: bytes } = this.#chain;
    const first = this.#database.prepare('SELECT min(sequence) AS first FROM activity').get()?.['first'];
    if (typeof first !== 'number' || (first > upTo && bytes <= this.#most.statementBytes)) return false;
    const rows = this.#database
      .prepare('SELECT sequence, hash, coalesce(octet_length(statement), 0) AS bytes FROM activity ORDER BY sequence LIMIT ?')
      .all(PIECE);
    let last: Record<string, SQLOutputValue> | undefined;
    for (const row of rows) {
      if (Number(row['sequence']) > upTo && bytes <= this.#most.statementBytes) break;
      bytes = Math.max(0, bytes - Number(row['bytes']));
      last = row;
    }
    if (last === undefined) return false;
    const { sequence = null, hash } = last;
    this.#change(() => {
      this.#database.prepare('DELETE FROM activity WHERE sequence <= ?').run(sequence);
      return { ...this.#chain, first_hash: String(hash), statement_bytes: bytes };
    });
    return last === rows.at(-1);
  }

  #lastOld(): number {
    const now = this.#now();
    if (now - this.#lookedForOld >= PRUNE_EVERY_MILLISECONDS) {
      this.#lookedForOld = now;
      const limit = new Date(now - ACTIVITY_MILLISECONDS).toISOString();
      const row = this.#database.prepare('SELECT max(sequence) AS last FROM activity WHERE time < ?').get(limit);
      this.#oldUpTo = Number(row?.['last'] ?? 0);
    }
    return this.#oldUpTo;
  }
}

function hashOf(previous: string, values: Readonly<Record<string, SQLOutputValue>>): string {
  // As JSON, so that no text can look like two fields.
  return digestOf('sha256', JSON.stringify([previous, ...FIELDS.map((field) => values[field] ?? null)]));
}

function conditionsOf(filter: ActivityFilter): { where: string; values: (string | number)[] } {
  const conditions: string[] = ['1 = 1'];
  const values: (string | number)[] = [];
  const equals: readonly (readonly [string, string | undefined])[] = [
    ['kind', filter.kind],
    ['outcome', filter.outcome],
    ['connection_id', filter.connectionId],
    ['token_id', filter.tokenId],
  ];
  for (const [column, value] of equals) {
    if (value === undefined) continue;
    conditions.push(`${column} = ?`);
    values.push(value);
  }
  for (const pattern of searchPatterns(filter.search)) {
    conditions.push(
      `(action || ' ' || coalesce(client, '') || ' ' || coalesce(token_name, '') || ' ' || coalesce(connection_name, '') || ' ' ||
        coalesce(code, '') || ' ' || coalesce(statement, '')) LIKE ? ESCAPE '\\'`,
    );
    values.push(pattern);
  }
  return { where: conditions.join(' AND '), values };
}

function toEntry(value: unknown): ActivityEntry {
  const row = rowSchema.parse(value);
  const optional = {
    tokenId: row.token_id,
    tokenName: row.token_name,
    client: row.client,
    connectionId: row.connection_id,
    connectionName: row.connection_name,
    code: row.code,
    milliseconds: row.milliseconds,
    approvedBy: row.approved_by,
    statementDigest: row.statement_digest,
    statement: row.statement,
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, field]) => field !== null)) as Partial<ActivityEntry>;
  return { sequence: row.sequence, time: row.time, kind: row.kind, action: row.action, outcome: row.outcome, ...present };
}
