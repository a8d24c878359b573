import { setTimeout as pause } from 'node:timers/promises';
import { DriverError, driverText, isDriverError } from '@tabularium/sdk';
import type { ActivityFacet, EndOutcome, EndRequest, RunningEntries, SlowStatement, SlowStatements } from '@tabularium/sdk';
import { faultTexts, stopIfCancelled } from '../fault.ts';
import { readOn } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { Link } from '../wire/link.ts';
import { entriesOf } from './entries.ts';
import { withoutPasswords } from './withoutPasswords.ts';
import { END_ENTRY, IS_THERE, LIST_SESSIONS, STATISTICS_SCHEMA, statistics } from './queries.ts';

/** A process that doesn't end at once, because it cleans up, is said to be asked. */
const END_MILLISECONDS = 2_000;
const POLL_MILLISECONDS = 50;
const MOST_PID = 2_147_483_647;

/**
 * Sessions of a server, by its views.
 *
 * @param processes - those at the server that belong to this connection
 */
export function createActivity(database: PgDatabase, processes: () => readonly number[]): ActivityFacet {
  return {
    list: ({ signal }) => list(database, new Set(processes()), signal),
    end: (request, { signal }) => end(database, request, signal),
    slow: ({ signal }) => slow(database, signal),
  };
}

async function list(database: PgDatabase, own: ReadonlySet<number>, signal: AbortSignal): Promise<RunningEntries> {
  const { rows } = await database.readAtOnce({ text: LIST_SESSIONS }, signal);
  const entries = entriesOf(rows, own);
  const leftOut = Number(rows[0]?.[21] ?? 0) - rows.length;
  const { user } = database.facts;
  const hidden = entries.some(({ state, kind }) => state === 'hidden' && kind === 'session');
  return {
    entries,
    ...(leftOut > 0 ? { leftOut } : {}),
    ...(hidden
      ? {
          notes: [`${user} doesn't see the statements of other users. A member of pg_read_all_stats or pg_monitor sees them.`],
          noteTexts: [driverText('activity.hidden', { user })],
        }
      : { notes: [] }),
  };
}

async function end(database: PgDatabase, request: EndRequest, signal: AbortSignal): Promise<EndOutcome> {
  stopIfCancelled(signal);
  const values = valuesOf(request);
  const pid = Number(values[0]);
  const asked = await database.links.useAtOnce(signal, async (link) =>
    // A connection can't end itself: then another one does.
    link.process === pid ? database.links.useAtOnce(signal, (other) => ask(other, values, signal)) : ask(link, values, signal),
  );
  if (!asked) return { outcome: 'gone' };
  const until = performance.now() + END_MILLISECONDS;
  while (performance.now() < until) {
    try {
      const { rows } = await database.readAtOnce({ text: IS_THERE, values }, signal);
      if (rows.length === 0) return { outcome: 'ended' };
      await pause(POLL_MILLISECONDS, undefined, { signal });
    } catch {
      // It was asked to end, whatever prevents us from seeing that.
      break;
    }
  }
  return { outcome: 'asked' };
}

async function ask(link: Link, values: readonly (string | null)[], signal: AbortSignal): Promise<boolean> {
  const [answer] = await readOn(link, [{ text: END_ENTRY, values }], signal, []);
  return answer?.rows[0]?.[0] === 't';
}

/** The parameters of the statements, in their order. */
function valuesOf({ id, way, statement }: EndRequest): readonly (string | null)[] {
  const [, pid, began] = /^(\d{1,10})-(\d{1,18}|hidden)$/.exec(id) ?? [];
  if (pid === undefined || began === undefined || Number(pid) > MOST_PID)
    throw new DriverError('INVALID_INPUT', 'This is not the id of a session. The list has the ids.', {
      details: { texts: faultTexts('activity.badId') },
    });
  if (began === 'hidden')
    throw new DriverError(
      'ACCESS_REFUSED',
      "Your user doesn't see when this session began, so a later one with the same number could be hit. A member of pg_read_all_stats sees it.",
      { details: { texts: faultTexts('activity.noIdentity') } },
    );
  if (statement !== undefined && !/^\d{1,18}$/.test(statement))
    throw new DriverError('INVALID_INPUT', 'This is not the id of a statement. The list has the ids.', {
      details: { texts: faultTexts('activity.badStatement') },
    });
  return [pid, began, way, statement ?? null];
}

async function slow(database: PgDatabase, signal: AbortSignal): Promise<SlowStatements> {
  const found = await database.readAtOnce({ text: STATISTICS_SCHEMA }, signal);
  const schema = found.rows[0]?.[0];
  const { database: name } = database.facts;
  if (schema == null)
    return {
      available: false,
      reason: `The extension pg_stat_statements isn't installed in ${name}. An administrator adds it to shared_preload_libraries, restarts the server and runs CREATE EXTENSION pg_stat_statements.`,
      text: driverText('activity.noStatistics', { name }),
    };
  try {
    const { rows } = await database.readAtOnce({ text: statistics(schema) }, signal);
    return { available: true, statements: rows.map(slowStatementOf), notes: [] };
  } catch (error) {
    // The library is not loaded: the view is there, and fails.
    if (!isDriverError(error) || error.details.status !== '55000') throw error;
    return {
      available: false,
      reason:
        "The server has pg_stat_statements and hasn't loaded it. An administrator adds it to shared_preload_libraries and restarts the server.",
      text: driverText('activity.notLoaded'),
    };
  }
}

function slowStatementOf(row: readonly (string | null)[]): SlowStatement {
  const [text, isCut, user, namespace, calls, total, mean, longest, rows] = row;
  return {
    text: withoutPasswords(text ?? ''),
    isCut: isCut === 't',
    ...(user == null ? {} : { user }),
    ...(namespace == null ? {} : { namespace }),
    calls: Number(calls),
    totalMilliseconds: Number(total),
    meanMilliseconds: Number(mean),
    maxMilliseconds: Number(longest),
    rows: Number(rows),
  };
}
