import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { topicKey } from '../../../common/watches.ts';
import type { WatchEvent, WatchTopic } from '../../../common/watches.ts';
import { WatchHub } from './watchHub.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const approvals: WatchTopic = { is: 'approvals' };
const transfers: WatchTopic = { is: 'transfers' };

/** A stream under the test's hand. */
class FakeStream {
  readonly topics: readonly WatchTopic[];
  readonly signal: AbortSignal;
  #waiting: WatchEvent[] = [];
  #end: 'open' | 'ended' | 'broken' = 'open';
  #wake = Promise.withResolvers<void>();

  constructor(topics: readonly WatchTopic[], signal: AbortSignal) {
    this.topics = topics;
    this.signal = signal;
    signal.addEventListener('abort', () => this.#wake.resolve());
  }

  async notify(topic: WatchTopic, value: unknown): Promise<void> {
    this.#waiting.push({ topic, value } as WatchEvent);
    this.#wake.resolve();
    await vi.advanceTimersByTimeAsync(0);
  }

  async drop(topic: WatchTopic): Promise<void> {
    this.#waiting.push({ topic, ended: true });
    this.#wake.resolve();
    await vi.advanceTimersByTimeAsync(0);
  }

  async stop(how: 'ended' | 'broken'): Promise<void> {
    this.#end = how;
    this.#wake.resolve();
    await vi.advanceTimersByTimeAsync(0);
  }

  async *events(): AsyncGenerator<WatchEvent> {
    for (;;) {
      await this.#wake.promise;
      this.#wake = Promise.withResolvers<void>();
      while (this.#waiting.length > 0) yield this.#waiting.shift() as WatchEvent;
      if (this.#end === 'broken') throw new TypeError('The connection was reset.');
      if (this.#end === 'ended' || this.signal.aborted) return;
    }
  }
}

function host() {
  const streams: FakeStream[] = [];
  let up = true;
  const hub = new WatchHub(async (topics, signal) => {
    if (!up) throw new TypeError('There is no host.');
    const stream = new FakeStream(topics, signal);
    streams.push(stream);
    return stream.events();
  });
  const stream = (number: number): FakeStream => {
    const found = streams[number];
    if (found === undefined) throw new RangeError(`There are ${streams.length} streams.`);
    return found;
  };
  return { hub, streams, stream, setUp: (is: boolean) => void (up = is) };
}

function follow(hub: WatchHub, topic: WatchTopic) {
  const seen: unknown[] = [];
  const onLost = vi.fn();
  const leave = hub.follow(topic, {
    onValue: (value) => void seen.push(value),
    onBroken: () => void seen.push('broken'),
    onLost,
  });
  return { seen, onLost, leave };
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(50);

describe('one stream for all that is followed', () => {
  it('is opened once for subscriptions that come together, and gives everybody what they follow', async () => {
    const { hub, streams, stream } = host();
    const first = follow(hub, approvals);
    const second = follow(hub, transfers);
    const same = follow(hub, approvals);
    await settle();
    expect(streams).toHaveLength(1);
    expect(stream(0).topics.map(topicKey)).toEqual(['approvals', 'transfers']);
    await stream(0).notify(approvals, 'A');
    await stream(0).notify(transfers, 'T');
    expect([first.seen, second.seen, same.seen]).toEqual([['A'], ['T'], ['A']]);
  });

  it('is changed without a gap: the old one ends when the new one has sent the full state', async () => {
    const { hub, stream } = host();
    const first = follow(hub, approvals);
    await settle();
    await stream(0).notify(approvals, 'A1');
    const second = follow(hub, transfers);
    await settle();
    // The new one has said nothing yet: the old one still counts, and is still open.
    await stream(0).notify(approvals, 'A2');
    expect(stream(0).signal.aborted).toBe(false);
    await stream(1).notify(approvals, 'A2');
    expect(stream(0).signal.aborted).toBe(true);
    await stream(1).notify(transfers, 'T1');
    await stream(1).notify(approvals, 'A3');
    expect(first.seen).toEqual(['A1', 'A2', 'A2', 'A3']);
    expect(second.seen).toEqual(['T1']);
  });

  it('sends the initial state to late subscribers before any change', async () => {
    const { hub, stream } = host();
    const first = follow(hub, approvals);
    await settle();
    await stream(0).notify(approvals, 'all');
    const later = follow(hub, approvals);
    await stream(0).notify(approvals, 'change');
    expect(later.seen).toEqual([]);
    await settle();
    await stream(1).notify(approvals, 'all of it');
    expect(later.seen).toEqual(['all of it']);
    expect(first.seen).toEqual(['all', 'change', 'all of it']);
  });

  it('is opened again after it broke or ended, and reports the break', async () => {
    const { hub, stream } = host();
    const first = follow(hub, approvals);
    await settle();
    await stream(0).notify(approvals, 1);
    await stream(0).stop('broken');
    await vi.advanceTimersByTimeAsync(1_000);
    await stream(1).notify(approvals, 2);
    await stream(1).stop('ended');
    await vi.advanceTimersByTimeAsync(1_000);
    await stream(2).notify(approvals, 3);
    expect(first.seen).toEqual([1, 'broken', 2, 'broken', 3]);
    expect(first.onLost).not.toHaveBeenCalled();
  });

  it('is asked for more and more slowly while there is no host, which is said once', async () => {
    const { hub, streams, stream, setUp } = host();
    const first = follow(hub, approvals);
    await settle();
    await stream(0).notify(approvals, 1);
    setUp(false);
    await stream(0).stop('broken');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(first.onLost).toHaveBeenCalledTimes(1);
    setUp(true);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(streams).toHaveLength(2);
    await stream(1).notify(approvals, 2);
    expect(first.seen).toEqual([1, 'broken', 2]);
  });

  it('subscribes again to a topic that ended, and continues with the others meanwhile', async () => {
    const { hub, stream, streams } = host();
    const first = follow(hub, approvals);
    follow(hub, transfers);
    await settle();
    await stream(0).drop(transfers);
    await stream(0).notify(approvals, 1);
    expect(streams).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(streams).toHaveLength(2);
    await stream(0).notify(approvals, 2);
    expect(first.seen).toEqual([1, 2]);
  });

  it('closes when the last follower leaves', async () => {
    const { hub, stream, streams } = host();
    const first = follow(hub, approvals);
    await settle();
    await stream(0).notify(approvals, 1);
    first.leave();
    await stream(0).notify(approvals, 2);
    await settle();
    expect(stream(0).signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(streams).toHaveLength(1);
    expect(first.seen).toEqual([1]);
  });
});
