import { DriverError } from '@tabularium/sdk';
import type { EndOutcome, EndRequest, RunningEntry, SlowStatements } from '@tabularium/sdk';
import type { FakeContext } from './fakeContext.test-helper.ts';

export interface FakeActivities {
  readonly activities: NonNullable<FakeContext['activities']>;
  /** The requests, in order. */
  readonly asked: readonly EndRequest[];
  /** How often the list was read. */
  readonly reads: () => number;
  /** The entries from now on. */
  entries: readonly RunningEntry[];
  notes: readonly string[];
  /** Thrown instead of a list. */
  failure: Error | undefined;
  /** Of the next end; an error is thrown. */
  outcome: EndOutcome['outcome'] | Error;
  slow: SlowStatements;
  /** Set for a connection in read-only mode. */
  readOnly: string | undefined;
}

/** Four sessions: `ada` waits for `ben`, whose transaction is open; `cleo` is idle, and so is a hidden one. */
export const RUNNING: readonly RunningEntry[] = [
  {
    id: '4711-1',
    number: '4711',
    kind: 'session',
    state: 'waiting',
    activity: 'Lock: relation',
    user: 'ada',
    application: 'psql',
    client: '10.0.0.7:51234',
    namespace: 'shop',
    statement: { id: '900', text: 'UPDATE stock\n  SET n = 0 -- \u202eall', isCut: true },
    milliseconds: 61_000,
    transactionMilliseconds: 62_000,
    sessionMilliseconds: 7_260_000,
    lockWait: { lock: 'relation public.stock (RowExclusiveLock)', blockedBy: ['4690-1'], others: ['prepared transaction'] },
    own: false,
    ways: ['cancel', 'terminate'],
  },
  {
    id: '4690-1',
    number: '4690',
    kind: 'session',
    state: 'inTransaction',
    user: 'ben',
    application: 'reports',
    namespace: 'shop',
    statement: { id: '800', text: 'LOCK TABLE stock', isCut: false },
    milliseconds: 90_000,
    own: false,
    ways: ['terminate'],
  },
  {
    id: '4600-1',
    number: '4600',
    kind: 'session',
    state: 'idle',
    user: 'cleo',
    application: 'app',
    namespace: 'shop',
    milliseconds: 5_000,
    own: true,
    ways: ['terminate'],
  },
  {
    id: '4500-hidden',
    number: '4500',
    kind: 'session',
    state: 'hidden',
    user: 'root',
    own: false,
    ways: [],
    reason: 'Your user may not end it.',
  },
];

export function fakeActivities(): FakeActivities {
  const asked: EndRequest[] = [];
  let reads = 0;
  const fake: FakeActivities = {
    asked,
    reads: () => reads,
    entries: RUNNING,
    notes: ['ada sees only a part.'],
    failure: undefined,
    outcome: 'ended',
    readOnly: undefined,
    slow: {
      available: true,
      notes: [],
      statements: [
        {
          text: 'SELECT * FROM stock WHERE n < $1',
          isCut: false,
          user: 'ada',
          namespace: 'shop',
          calls: 1_200,
          totalMilliseconds: 65_000,
          meanMilliseconds: 54,
          maxMilliseconds: 900,
          rows: 480,
        },
      ],
    },
    activities: {
      list: async () => {
        reads += 1;
        if (fake.failure !== undefined) throw fake.failure;
        const { entries, notes, readOnly: reason } = fake;
        return {
          list: { entries: reason === undefined ? entries : entries.map((entry) => ({ ...entry, ways: [], reason })), notes },
          hasStatistics: true,
          ...(reason === undefined ? {} : { readOnly: { reason } }),
        };
      },
      end: async (_connectionId, request) => {
        asked.push(request);
        if (fake.outcome instanceof Error) throw fake.outcome;
        if (fake.outcome === 'ended') fake.entries = fake.entries.filter(({ id }) => id !== request.id);
        return { outcome: fake.outcome };
      },
      slow: async () => fake.slow,
    },
  };
  return fake;
}

/** A refusal, as a driver reports it. */
export const REFUSED = new DriverError('ACCESS_REFUSED', 'Only a superuser may end it.');
