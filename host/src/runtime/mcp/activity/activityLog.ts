import { hash as digestOf } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { ACTIVITY_KINDS, ACTIVITY_OUTCOMES } from '../../../common/integrations.ts';
import type { ActivityEntry, ActivityFilter, ActivityPage, ActivityVerification } from '../../../common/integrations.ts';
import { z } from 'zod';
import { storageFailureCode } from '../../errors/storageFailure.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import { IntegrationSettingsStore } from '../access/integrationSettings.ts';
import { loggerOf } from '../../storage/logger.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';

/** Entries that are older are taken off. */
export const ACTIVITY_MILLISECONDS = 90 * 86_400_000;
/** How often it is looked for such. */
const PRUNE_EVERY_MILLISECONDS = 3_600_000;
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
const chainSchema = z.object({ first_hash: z.string(), last_hash: z.string(), last_sequence: z.number() });

export interface ActivityLogOptions {
  readonly logStatements: () => boolean;
  readonly onProblem: (error: unknown) => void;
  readonly now?: () => number;
}

type Values = Record<(typeof FIELDS)[number], SQLOutputValue>;

/** The actions of clients, for 90 days. A chain of hashes shows when an entry was changed, taken out or put in afterwards. */
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
  #chain: z.output<typeof chainSchema>;
  #pruned = 0;
  /** Entries yet to be written, in one transaction: a transaction for each took 65 µs of a call, a tenth of all of it. */
  #waiting: Values[] = [];
  #flushing: NodeJS.Timeout | undefined;

  /**
   * @param database - with the tables of `activityMigration`
   * @param options - `keepStatements`: asked for every entry; `onProblem`: called when entries could not be written: their calls are over,
   * and must not fail for it
   */
  constructor(database: DatabaseSync, { logStatements, onProblem, now = Date.now }: ActivityLogOptions) {
    this.#database = database;
    this.#logStatements = logStatements;
    this.#onProblem = onProblem;
    this.#now = now;
    const columns = [...FIELDS, 'previous_hash', 'hash'];
    this.#insert = database.prepare(`INSERT INTO activity (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    this.#saveChain = database.prepare(
      `INSERT INTO activity_chain (id, first_hash, last_hash, last_sequence) VALUES (1, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET first_hash = excluded.first_hash, last_hash = excluded.last_hash, last_sequence = excluded.last_sequence`,
    );
    const row = database.prepare('SELECT first_hash, last_hash, last_sequence FROM activity_chain').get();
    this.#chain = row === undefined ? { first_hash: GENESIS, last_hash: GENESIS, last_sequence: 0 } : chainSchema.parse(row);
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
    const before = this.#chain;
    const chain = { ...before };
    this.#database.exec('SAVEPOINT activity');
    try {
      for (const values of entries) {
        chain.last_sequence += 1;
        values.sequence = chain.last_sequence;
        const hash = hashOf(chain.last_hash, values);
        this.#insert.run(...FIELDS.map((field) => values[field]), chain.last_hash, hash);
        chain.last_hash = hash;
      }
      this.#setChain(chain);
      this.#database.exec('RELEASE activity');
    } catch (error) {
      this.#chain = before;
      // SQLite has already rolled everything back after some errors, a full disk among them.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK TO activity; RELEASE activity');
      throw error;
    }
  }

  /** Newest first. */
  list(filter: ActivityFilter): ActivityPage {
    this.#flush();
    const { where, values } = conditionsOf(filter);
    const rows = this.#database
      .prepare(`SELECT ${FIELDS.join(', ')} FROM activity WHERE ${where} ORDER BY sequence DESC LIMIT ?`)
      .all(...values, filter.limit + 1);
    return { entries: rows.slice(0, filter.limit).map(toEntry), more: rows.length > filter.limit };
  }

  /** Everything that fits, oldest first, one after the other: a log of 90 days is not for the memory. */
  *all(filter: ActivityFilter): Generator<ActivityEntry> {
    this.#flush();
    const { where, values } = conditionsOf(filter);
    const statement = this.#database.prepare(`SELECT ${FIELDS.join(', ')} FROM activity WHERE ${where} ORDER BY sequence`);
    for (const row of statement.iterate(...values)) yield toEntry(row);
  }

  /** Goes through the whole chain. */
  verify(): ActivityVerification {
    this.#flush();
    let previous = this.#chain.first_hash;
    let entries = 0;
    let sequence: number | undefined;
    const rows = this.#database.prepare('SELECT * FROM activity ORDER BY sequence').iterate();
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
    const ended = previous === this.#chain.last_hash && (sequence === undefined || sequence === this.#chain.last_sequence);
    return ended ? { whole: true, entries } : { whole: false, entries, brokenAt: (sequence ?? 0) + 1 };
  }

  #prune(): void {
    const now = this.#now();
    if (now - this.#pruned < PRUNE_EVERY_MILLISECONDS) return;
    this.#pruned = now;
    const limit = new Date(now - ACTIVITY_MILLISECONDS).toISOString();
    const last = this.#database
      .prepare('SELECT hash, sequence FROM activity WHERE time < ? ORDER BY sequence DESC LIMIT 1')
      .get(limit);
    if (last === undefined) return;
    this.#database.exec('SAVEPOINT prune');
    try {
      this.#database.prepare('DELETE FROM activity WHERE sequence <= ?').run(last['sequence'] ?? 0);
      this.#setChain({ ...this.#chain, first_hash: String(last['hash']) });
    } finally {
      this.#database.exec('RELEASE prune');
    }
  }

  #setChain(chain: z.output<typeof chainSchema>): void {
    this.#saveChain.run(chain.first_hash, chain.last_hash, chain.last_sequence);
    this.#chain = chain;
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
  if (filter.before !== undefined) {
    conditions.push('sequence < ?');
    values.push(filter.before);
  }
  for (const word of filter.search.split(/\s+/).filter(Boolean)) {
    conditions.push(
      `(action || ' ' || coalesce(client, '') || ' ' || coalesce(token_name, '') || ' ' || coalesce(connection_name, '') || ' ' ||
        coalesce(code, '') || ' ' || coalesce(statement, '')) LIKE ? ESCAPE '\\'`,
    );
    values.push(`%${word.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`);
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
