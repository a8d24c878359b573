import type { ActivityFacet, RunningEntry, SlowStatement } from '@tabularium/sdk';
import type { World } from '../orchard/world.ts';
import { acts, deaf } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const LISTED = ['activity', 'every entry can be shown, and waits for entries of the same list'] as const;
const NOTHING = ['activity', 'an id of nothing ends nothing'] as const;
const CANCELLED = ['activity', 'cancel ends the entry that was seen, and no other'] as const;
const TERMINATED = ['activity', 'terminate ends the entry that was seen, and no other'] as const;

const running = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (facet: ActivityFacet, world: World) => Partial<ActivityFacet>,
): Seeded => acts(name, breaks, says, ({ activity }, world) => ({ activity: { ...activity, ...change(activity, world) } }));
const withEntries = (
  name: string,
  says: RegExp,
  change: (entry: RunningEntry) => Partial<RunningEntry>,
  breaks: Seeded['breaks'] = LISTED,
): Seeded =>
  running(name, breaks, says, ({ list }) => ({
    list: async (options) => {
      const found = await list(options);
      return { ...found, entries: found.entries.map((entry) => ({ ...entry, ...change(entry) })) };
    },
  }));
const withStatistics = (
  name: string,
  says: RegExp,
  change: (statement: SlowStatement, place: number) => Partial<SlowStatement>,
): Seeded =>
  running(name, LISTED, says, ({ slow }) => ({
    slow: async (options) => {
      const found = await slow?.(options);
      if (found?.available !== true) return { available: false, reason: '' };
      return { ...found, statements: found.statements.map((one, place) => ({ ...one, ...change(one, place) })) };
    },
  }));

export const activityFaults: readonly Seeded[] = [
  withEntries('two entries with one id', /Two entries have one id/, () => ({ id: 'one' })),
  withEntries('an entry that cannot be ended, without a reason', /nothing says why/, () => ({ ways: [], reason: ' ' })),
  withEntries('an entry that waits for one that is not listed', /which the list doesn't have/, () => ({
    state: 'waiting',
    lockWait: { lock: 'Plot', blockedBy: ['nothing'], others: [] },
  })),
  withEntries('an entry that waits for itself', /waits for itself/, ({ id }) => ({
    state: 'waiting',
    lockWait: { lock: 'Plot', blockedBy: [id], others: [] },
  })),
  withEntries('a lock of an idle session', /its state is idle/, () => ({
    state: 'idle',
    lockWait: { lock: 'Plot', blockedBy: [], others: [] },
  })),
  withEntries('a duration below zero', /is -1/, () => ({ milliseconds: -1 })),
  withStatistics("a mean that isn't a number", /is NaN/, () => ({ meanMilliseconds: NaN })),
  withStatistics('statistics in no order', /not first/, (_statement, place) => ({ totalMilliseconds: place })),
  running('a list that cannot be cancelled', LISTED, /must be given up/, ({ list }) => ({ list: () => list(deaf) })),
  running('an end of what the server has under a part of the id', NOTHING, /is said to have ended it/, ({ end }) => ({
    end: async (request, options) => (request.id.startsWith('1') ? { outcome: 'ended' } : end(request, options)),
  })),
  running('a statement that is ended though another one was meant', CANCELLED, /is said to have ended it/, ({ end }) => ({
    end: ({ id, way }, options) => end({ id, way }, options),
  })),
  running('a cancel that is acknowledged and not done', CANCELLED, /did not end/, () => ({
    end: async ({ id, statement }, { signal }) => {
      signal.throwIfAborted();
      return { outcome: id.endsWith('0') || statement?.endsWith('0') === true ? 'gone' : 'ended' };
    },
  })),
  running('an end that cannot be cancelled', TERMINATED, /must be given up/, ({ end }) => ({
    end: (request) => end(request, deaf),
  })),
  withEntries(
    'an id that is another one in each list',
    /is another one in the next list/,
    ({ id }) => ({ id: `${id} ${Math.random()}` }),
    TERMINATED,
  ),
  running('a terminate that says it came too late', TERMINATED, /said to have come before/, ({ end }) => ({
    end: async (request, options) => {
      await end(request, options);
      return { outcome: 'gone' };
    },
  })),
];
