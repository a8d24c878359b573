import { driverText, isDriverError } from '@tabularium/sdk';
import type { DriverError, Metric, MetricsFacet, MetricsReading, MetricUnit } from '@tabularium/sdk';
import { stopIfCancelled } from '../fault.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { PgAnswer } from '../wire/batch.ts';
import { COUNTERS, REPLAY_LAG, SESSIONS, SIZE, SIZE_MILLISECONDS } from './queries.ts';

/** Counters of the database at a moment. */
interface Counters {
  /** Milliseconds. */
  readonly at: number;
  readonly transactions: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly blocksRead: number;
  readonly blocksHit: number;
  readonly temporaryBytes: number;
}

/** Metrics of the server and of this database. Rates are those since the reading before, so a first reading has none. */
export function createMetrics(database: PgDatabase): MetricsFacet {
  let before: Counters | undefined;
  return {
    missingPanels: [],
    async read({ signal }) {
      stopIfCancelled(signal);
      // One after the other, on one connection: those that wait for a free one would count among the metrics.
      const parts = [
        await part('pg_stat_activity', signal, async () => sessionsOf(await one(database, SESSIONS, signal))),
        await part('pg_stat_database', signal, async () => {
          const [row = []] = (await one(database, COUNTERS, signal)).rows;
          const now = countersOf(row);
          const metrics = [...ratesOf(before, now), ...deadlocksOf(row)];
          before = now;
          return { metrics, problems: [] };
        }),
        await part('pg_database_size', signal, async () => {
          const limit = { text: `SELECT pg_catalog.set_config('statement_timeout', '${SIZE_MILLISECONDS}', true)` };
          const answers = await database.read([limit, { text: SIZE }], signal);
          return { metrics: metric('databaseSize', 'Database Size', 'bytes', answers[1]?.rows[0]?.[0]), problems: [] };
        }),
      ];
      if (database.facts.isStandby)
        parts.push(
          await part('pg_last_xact_replay_timestamp', signal, async () => {
            const [row = []] = (await one(database, REPLAY_LAG, signal)).rows;
            return { metrics: metric('replayLag', 'Replay Lag', 'milliseconds', row[0]), problems: [] };
          }),
        );
      const metrics = parts.flatMap((found) => found.metrics);
      const [first] = parts.flatMap(({ error }) => error ?? []);
      if (metrics.length === 0 && first !== undefined) throw first;
      return { metrics, problems: parts.flatMap(({ problems }) => problems) };
    },
  };
}

type Part = Pick<MetricsReading, 'metrics' | 'problems'> & { readonly error?: DriverError };

/** The metrics of one source; one that fails takes no other with it. */
async function part(source: string, signal: AbortSignal, read: () => Promise<Part>): Promise<Part> {
  try {
    return await read();
  } catch (error) {
    stopIfCancelled(signal);
    if (!isDriverError(error)) throw error;
    const message = error.details.texts?.['message'];
    return {
      metrics: [],
      problems: [{ source, message: error.message, ...(message === undefined ? {} : { texts: { message } }) }],
      error,
    };
  }
}

async function one(database: PgDatabase, text: string, signal: AbortSignal): Promise<PgAnswer> {
  const [answer] = await database.read([{ text }], signal);
  return answer ?? { fields: [], rows: [], tag: '' };
}

/** The numbers of sessions. What other roles' sessions do is only seen by those who may. */
function sessionsOf({ rows: [row = []] }: PgAnswer): Part {
  const [sessions, most, hidden, active, idle, waiting, longest] = row;
  const connections = metric('connections', 'Connections', 'count', sessions, most);
  if (Number(hidden) > 0) {
    return {
      metrics: connections,
      problems: [
        {
          source: 'pg_stat_activity',
          message:
            'This role may not see what the sessions of other roles do. An administrator can allow it: GRANT pg_read_all_stats.',
          texts: { message: driverText('metrics.hidden') },
        },
      ],
    };
  }
  return {
    metrics: [
      ...connections,
      ...metric('active', 'Running Statements', 'count', active),
      ...metric('idleInTransaction', 'Idle in Transaction', 'count', idle),
      ...metric('waiting', 'Waiting for Locks', 'count', waiting),
      ...metric('longestTransaction', 'Longest Transaction', 'milliseconds', longest),
    ],
    problems: [],
  };
}

function countersOf(row: readonly (string | null)[]): Counters {
  const [transactions, rowsRead, rowsWritten, blocksRead, blocksHit, temporaryBytes] = row.map(Number);
  return {
    at: performance.now(),
    transactions: transactions ?? NaN,
    rowsRead: rowsRead ?? NaN,
    rowsWritten: rowsWritten ?? NaN,
    blocksRead: blocksRead ?? NaN,
    blocksHit: blocksHit ?? NaN,
    temporaryBytes: temporaryBytes ?? NaN,
  };
}

/** A counter that was reset meanwhile gives no rate. */
function ratesOf(before: Counters | undefined, now: Counters): readonly Metric[] {
  const seconds = before === undefined ? 0 : (now.at - before.at) / 1_000;
  const rate = (name: Exclude<keyof Counters, 'at'>): number | undefined =>
    before === undefined || seconds <= 0 ? undefined : (now[name] - before[name]) / seconds;
  const since = (name: 'blocksHit' | 'blocksRead'): number => now[name] - (before?.[name] ?? 0);
  const blocks = since('blocksHit') + since('blocksRead');
  // Nothing was read since the last look: the ratio is that of all time.
  const [hits, all] = blocks > 0 ? [since('blocksHit'), blocks] : [now.blocksHit, now.blocksHit + now.blocksRead];
  return [
    ...metric('transactions', 'Transactions', 'perSecond', rate('transactions')),
    ...metric('rowsRead', 'Rows Read', 'perSecond', rate('rowsRead')),
    ...metric('rowsWritten', 'Rows Written', 'perSecond', rate('rowsWritten')),
    ...metric('cacheHits', 'Cache Hit Ratio', 'ratio', all > 0 ? hits / all : undefined),
    ...metric('temporary', 'Temporary Files', 'bytes', rate('temporaryBytes')),
  ];
}

function deadlocksOf(row: readonly (string | null)[]): readonly Metric[] {
  return metric('deadlocks', 'Deadlocks', 'count', row[6]);
}

/** A metric, unless the server has none. */
function metric(
  id: string,
  label: string,
  unit: MetricUnit,
  found: string | number | null | undefined,
  whole?: string | null,
): readonly Metric[] {
  const value = found === null || found === undefined ? NaN : Number(found);
  if (!Number.isFinite(value) || value < 0) return [];
  const total = whole === null || whole === undefined ? NaN : Number(whole);
  return [
    {
      id,
      label,
      unit,
      value,
      ...(total > 0 ? { total } : {}),
      help: HELP[id] ?? '',
      texts: { label: driverText(`metrics.${id}`), help: driverText(`metrics.${id}.help`) },
    },
  ];
}

const HELP: Readonly<Record<string, string>> = {
  connections: 'Client sessions of all databases, out of the maximum that the server allows.',
  active: 'Statements that run now, this one left out.',
  idleInTransaction: 'Sessions that have begun a transaction and do nothing in it: they keep their locks.',
  waiting: 'Sessions that wait for a lock of another one.',
  longestTransaction: 'The age of the transaction that has been open the longest.',
  transactions: 'Transactions of this database that ended, committed or not, since the reading before.',
  rowsRead: 'Rows of this database that scans returned.',
  rowsWritten: 'Rows of this database that were inserted, updated or deleted.',
  cacheHits: 'The part of the blocks of this database that were in the server’s memory.',
  temporary: 'Bytes a second that sorts and joins of this database wrote to temporary files.',
  deadlocks: 'Deadlocks of this database since its statistics were reset.',
  databaseSize: 'The size of this database on the server’s disk.',
  replayLag: 'The age of the last transaction that this standby has replayed.',
};
