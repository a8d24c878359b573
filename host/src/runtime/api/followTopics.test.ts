import { describe, expect, it } from 'vitest';
import type { WatchEvent, WatchTopic } from '../../common/watches.ts';
import { followTopics } from './followTopics.ts';

/** A source as the host's are: its state, then changes that come together as one, until the signal. */
function source<T>(initial: T) {
  let value = initial;
  let change = Promise.withResolvers<void>();
  let watchers = 0;
  return {
    get watchers() {
      return watchers;
    },
    set(next: T) {
      value = next;
      change.resolve();
    },
    async *watch(signal: AbortSignal): AsyncGenerator<T> {
      watchers += 1;
      signal.addEventListener('abort', () => change.resolve());
      try {
        while (!signal.aborted) {
          change = Promise.withResolvers<void>();
          yield value;
          await change.promise;
        }
      } finally {
        watchers -= 1;
      }
    },
  };
}

const stage: WatchTopic = {
  is: 'stage',
  connectionId: '8a4e1f0c-0a41-4c67-9d0b-5d2f3c1e7a90',
  table: { namespace: [], name: 'books' },
};

function services() {
  const approvals = source<readonly string[]>([]);
  const transfers = source<readonly string[]>([]);
  const parts = {
    integrations: { watchApprovals: (signal: AbortSignal) => approvals.watch(signal) },
    transfers: { watch: (signal: AbortSignal) => transfers.watch(signal) },
    driverDevelopment: {
      async *watch() {
        yield [];
      },
    },
    editing: {
      watch() {
        throw new Error('There is no such connection.');
      },
    },
  };
  return { approvals, transfers, parts: parts as unknown as Parameters<typeof followTopics>[0] };
}

async function take(events: AsyncGenerator<WatchEvent>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const next = await events.next();
    if (next.done === true) break;
    taken.push('ended' in next.value ? [next.value.topic.is, 'ended'] : [next.value.topic.is, next.value.value]);
  }
  return taken;
}

describe('topics in one stream', () => {
  it('each sends its current state first, then changes', async () => {
    const { approvals, transfers, parts } = services();
    approvals.set(['one']);
    const events = followTopics(parts, [{ is: 'approvals' }, { is: 'transfers' }], new AbortController().signal);
    expect(await take(events, 2)).toEqual([
      ['approvals', ['one']],
      ['transfers', []],
    ]);
    transfers.set(['export']);
    expect(await take(events, 1)).toEqual([['transfers', ['export']]]);
    approvals.set(['one', 'two']);
    expect(await take(events, 1)).toEqual([['approvals', ['one', 'two']]]);
    await events.return();
  });

  it('are followed once each, however often they were named', async () => {
    const { approvals, parts } = services();
    const events = followTopics(parts, [{ is: 'approvals' }, { is: 'approvals' }], new AbortController().signal);
    await take(events, 1);
    expect(approvals.watchers).toBe(1);
    await events.return();
  });

  it('continue when one of them fails or ends, and report it', async () => {
    const { approvals, parts } = services();
    const events = followTopics(parts, [stage, { is: 'development' }, { is: 'approvals' }], new AbortController().signal);
    const first = await take(events, 4);
    expect(first).toContainEqual(['stage', 'ended']);
    expect(first).toContainEqual(['development', []]);
    expect(first).toContainEqual(['development', 'ended']);
    expect(first).toContainEqual(['approvals', []]);
    approvals.set(['late']);
    expect(await take(events, 1)).toEqual([['approvals', ['late']]]);
    await events.return();
  });

  it('release their sources when the window closes, even before the first event', async () => {
    const { approvals, transfers, parts } = services();
    const leaving = new AbortController();
    const events = followTopics(parts, [{ is: 'approvals' }, { is: 'transfers' }], leaving.signal);
    await take(events, 2);
    const last = events.next();
    expect([approvals.watchers, transfers.watchers]).toEqual([1, 1]);
    leaving.abort();
    expect(await last).toEqual({ done: true, value: undefined });
    expect([approvals.watchers, transfers.watchers]).toEqual([0, 0]);
  });
});
