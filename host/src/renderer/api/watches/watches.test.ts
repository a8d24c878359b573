import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WatchTopic } from '../../../common/watches.ts';
import type { WatchListener } from './watchHub.ts';
import { Watches } from './watches.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const approvals: WatchTopic = { is: 'approvals' };
const stage: WatchTopic = {
  is: 'stage',
  connectionId: '8a4e1f0c-0a41-4c67-9d0b-5d2f3c1e7a90',
  table: { namespace: [], name: 'books' },
};

/** A window whose sources report the present state at once. */
function windowOf() {
  const followed: { topic: WatchTopic; listener: WatchListener; source: number }[] = [];
  let state = 'first';
  let gone = (): void => undefined;
  let sources = 0;
  let onVisibility = (): void => undefined;
  const page = {
    visibilityState: 'visible' as DocumentVisibilityState,
    addEventListener: (_type: string, listener: () => void) => void (onVisibility = listener),
  };
  const watches = new Watches({
    page: page as unknown as Document,
    begin: (onGone) => {
      sources += 1;
      const source = sources;
      gone = onGone;
      return {
        follow: (topic, listener) => {
          const entry = { topic, listener, source };
          followed.push(entry);
          listener.onValue(state);
          return () => void followed.splice(followed.indexOf(entry), 1);
        },
      };
    },
  });
  return {
    watches,
    followed: () => followed.map(({ topic }) => topic.is),
    sources: () => [...new Set(followed.map(({ source }) => source))],
    change: (next: string) => {
      state = next;
      for (const { listener } of followed) listener.onValue(next);
    },
    show: (visibility: DocumentVisibilityState) => {
      page.visibilityState = visibility;
      onVisibility();
    },
    /** @returns what has the same source say it again */
    lose: () => {
      const notify = gone;
      notify();
      return notify;
    },
  };
}

function follow(watches: Watches, topic: WatchTopic) {
  const seen: unknown[] = [];
  const leave = watches.follow(topic, {
    onValue: (value) => void seen.push(value),
    onBroken: () => void seen.push('broken'),
    onLost: () => void seen.push('lost'),
  });
  return { seen, leave };
}

describe('what a window follows', () => {
  it('excludes a hidden table, which gets the missed changes when it is shown again', async () => {
    const { watches, followed, change, show } = windowOf();
    const { seen } = follow(watches, stage);
    follow(watches, approvals);
    show('hidden');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(followed()).toEqual(['approvals']);
    change('missed');
    show('visible');
    expect(seen).toEqual(['first', 'missed']);
  });

  it('stays as it is when the window is hidden for a moment', async () => {
    const { watches, followed, show } = windowOf();
    const { seen } = follow(watches, stage);
    show('hidden');
    await vi.advanceTimersByTimeAsync(1_000);
    show('visible');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(followed()).toEqual(['stage']);
    expect(seen).toEqual(['first']);
  });

  it('waits with a table that is opened while the window is hidden', async () => {
    const { watches, followed, show } = windowOf();
    show('hidden');
    await vi.advanceTimersByTimeAsync(10_000);
    const { leave } = follow(watches, stage);
    const { seen } = follow(watches, stage);
    expect(followed()).toEqual([]);
    leave();
    show('visible');
    expect(followed()).toEqual(['stage']);
    expect(seen).toEqual(['first']);
  });

  it('is what waits for a person, hidden or not', async () => {
    const { watches, followed, change, show } = windowOf();
    show('hidden');
    await vi.advanceTimersByTimeAsync(10_000);
    const { seen } = follow(watches, approvals);
    await vi.advanceTimersByTimeAsync(600_000);
    change('asked');
    expect(followed()).toEqual(['approvals']);
    expect(seen).toEqual(['first', 'asked']);
  });

  it('is followed elsewhere when its source is gone', () => {
    const { watches, sources, change, lose } = windowOf();
    const { seen } = follow(watches, approvals);
    follow(watches, stage).leave();
    const loseAgain = lose();
    expect(sources()).toEqual([2]);
    loseAgain();
    expect(sources()).toEqual([2]);
    change('later');
    expect(seen).toEqual(['first', 'broken', 'first', 'later']);
  });
});
