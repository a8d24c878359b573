import { withoutPasswords } from './withoutPasswords.ts';
import { driverText } from '@tabularium/sdk';
import type { EndWay, RunningEntry, RunningState } from '@tabularium/sdk';
import { cutText } from '../cutText.ts';

/** Its text in place of a statement that the user may not see. */
const NOT_SHOWN = '<insufficient privilege>';
const MOST_BLOCKERS = 100;
const MOST_OTHERS = 20;

type Row = readonly (string | null)[];

/** A row of `LIST_SESSIONS`. */
interface Backend {
  readonly pid: string;
  /** Absent where the user may not see it: then a later process with the same number looks the same. */
  readonly began: string | undefined;
  readonly type: string | undefined;
  readonly state: string | undefined;
  readonly lock: string | undefined;
  readonly blockers: readonly number[];
  readonly leader: string | undefined;
  readonly mayEnd: boolean;
}

function backendOf(row: Row): Backend {
  const text = (place: number): string | undefined => row[place] ?? undefined;
  return {
    pid: text(0) ?? '',
    began: text(1),
    type: text(2),
    state: text(3),
    lock: text(17),
    blockers: JSON.parse(text(18) ?? '[]') as number[],
    leader: text(19),
    mayEnd: row[20] === 't',
  };
}

/** The id of a process: its number alone is used again. */
function idOf({ pid, began }: Pick<Backend, 'pid' | 'began'>): string {
  return `${pid}-${began ?? 'hidden'}`;
}

/**
 * The entries of a list.
 *
 * @param own - the processes of this connection
 */
export function entriesOf(rows: readonly Row[], own: ReadonlySet<number>): readonly RunningEntry[] {
  const ids = new Map(rows.map((row) => [Number(row[0]), idOf(backendOf(row))]));
  return rows.map((row) => entryOf(row, ids, own));
}

function entryOf(row: Row, ids: ReadonlyMap<number, string>, own: ReadonlySet<number>): RunningEntry {
  const backend = backendOf(row);
  const { pid, type, lock, blockers } = backend;
  const [event, user, application, namespace] = [row[4], row[6], row[7], row[10]];
  const kind = type === undefined || type === 'client backend' || type === 'walsender' ? 'session' : 'background';
  const state = stateOf(backend, kind);
  const activity = [kind === 'background' ? type : undefined, event == null ? undefined : `${event}: ${row[5] ?? ''}`];
  const said = activity
    .filter((part) => part !== undefined)
    .join(', ')
    .slice(0, 200);
  const id = idOf(backend);
  // A process is its own blocker for a moment, when a worker of its statement waits for it.
  const others = blockers.filter((one) => ids.get(one) !== id);
  const listed = others.flatMap((one) => ids.get(one) ?? []);
  return {
    id,
    number: pid,
    kind,
    state,
    ...(said === '' ? {} : { activity: said }),
    ...(user == null ? {} : { user }),
    ...(application == null || application === '' ? {} : { application }),
    ...clientOf(row[8], row[9]),
    ...(namespace == null ? {} : { namespace }),
    ...statementOf(row),
    ...measure('milliseconds', row[14]),
    ...measure('transactionMilliseconds', row[15]),
    ...measure('sessionMilliseconds', row[16]),
    ...(state !== 'waiting' || lock === undefined
      ? {}
      : {
          lockWait: {
            lock: cutText(lock, 1_000),
            blockedBy: [...new Set(listed)].slice(0, MOST_BLOCKERS),
            others: others
              .filter((one) => !ids.has(one))
              .map((one) => (one === 0 ? 'prepared transaction' : String(one)))
              .slice(0, MOST_OTHERS),
          },
        }),
    own: own.has(Number(pid)),
    ...waysOf(backend, state),
  };
}

function stateOf({ state, lock, began }: Backend, kind: RunningEntry['kind']): RunningState {
  if (lock !== undefined) return 'waiting';
  switch (state) {
    case 'active':
    case 'fastpath function call':
      return 'running';
    case 'idle':
      return 'idle';
    case 'idle in transaction':
      return 'inTransaction';
    case 'idle in transaction (aborted)':
      return 'failedTransaction';
    default:
      return kind === 'background' && began !== undefined ? 'running' : 'hidden';
  }
}

function clientOf(address: string | null | undefined, port: string | null | undefined): { readonly client?: string } {
  if (address == null) return port === '-1' ? { client: 'socket' } : {};
  return { client: address.includes(':') ? `[${address}]:${port ?? ''}` : `${address}:${port ?? ''}` };
}

function statementOf(row: Row): Pick<RunningEntry, 'statement'> {
  const [id, text, isCut] = row.slice(11, 14);
  if (id == null || text == null || text === '' || text === NOT_SHOWN) return {};
  return { statement: { id, text: withoutPasswords(text), isCut: isCut === 't' } };
}

function measure<Name extends string>(name: Name, text: string | null | undefined): { readonly [N in Name]?: number } {
  // Clocks are set back: no duration is below zero.
  return text == null ? {} : ({ [name]: Math.max(0, Number(text)) } as { readonly [N in Name]?: number });
}

function waysOf({ began, leader, mayEnd }: Backend, state: RunningState): Pick<RunningEntry, 'ways' | 'reason' | 'texts'> {
  if (leader !== undefined)
    return {
      ways: [],
      reason: `It works for process ${leader} and ends with that one's statement.`,
      texts: { reason: driverText('activity.worker', { leader }) },
    };
  if (!mayEnd)
    return {
      ways: [],
      reason:
        'Your user may not end it. A member of pg_signal_backend may end sessions of others, and a superuser those of superusers.',
      texts: { reason: driverText('activity.noRight') },
    };
  if (began === undefined)
    return {
      ways: [],
      reason:
        "Your user doesn't see when this session began, so a later one with the same number could be hit. A member of pg_read_all_stats sees it.",
      texts: { reason: driverText('activity.noIdentity') },
    };
  const ways: readonly EndWay[] = state === 'running' || state === 'waiting' ? ['cancel', 'terminate'] : ['terminate'];
  return { ways };
}
