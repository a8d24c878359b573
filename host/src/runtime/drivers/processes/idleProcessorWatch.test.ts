import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleProcessorWatch } from './idleProcessorWatch.ts';

const WINDOW = 30_000;

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => vi.useRealTimers());

interface Second {
  readonly share?: number;
  readonly busy?: boolean;
  readonly calls?: number;
}

/** Runs a process with a given load in each second; returns after how many seconds it was ended. */
function secondsUntilEnded(seconds: number, behaviour: (second: number) => Second): number | undefined {
  let used: number | undefined = 400;
  let now: Second = {};
  let calls = 0;
  let ended = false;
  const watch = new IdleProcessorWatch({
    window: WINDOW,
    share: 0.5,
    used: () => used,
    busy: () => now.busy === true,
    calls: () => calls,
    onExceeded: () => {
      ended = true;
    },
  });
  try {
    for (let second = 1; second <= seconds; second += 1) {
      now = behaviour(second);
      calls += now.calls ?? 0;
      used = now.share === undefined ? undefined : (used ?? 0) + now.share * 1_000;
      vi.advanceTimersByTime(1_000);
      if (ended) return second;
    }
    return undefined;
  } finally {
    watch.stop();
  }
}

describe('the watch over a process of which nothing is asked', () => {
  it('ends it after one window in which it used more than its share', () => {
    const seconds = secondsUntilEnded(120, () => ({ share: 1 })) ?? Infinity;
    expect(seconds).toBeGreaterThanOrEqual(30);
    expect(seconds).toBeLessThanOrEqual(36);
    expect(secondsUntilEnded(120, () => ({ share: 0.51 }))).toBe(seconds);
  });

  it.each<[string, (second: number) => Second]>([
    ['uses less', () => ({ share: 0.49 })],
    ['works while a call is open', () => ({ share: 1, busy: true })],
    ['answers a call every 25 seconds', (second) => ({ share: 1, calls: second % 25 === 0 ? 1 : 0 })],
    [
      'works for 25 seconds after a call, and rests',
      (second) => ({ share: second % 60 < 25 ? 1 : 0, calls: second % 60 === 0 ? 1 : 0 }),
    ],
    ['cannot be measured', () => ({})],
  ])('leaves alone one that %s', (_name, behaviour) => {
    expect(secondsUntilEnded(600, behaviour)).toBeUndefined();
  });

  it('begins again after a call', () => {
    expect(secondsUntilEnded(120, (second) => ({ share: 1, busy: second <= 20 }))).toBeGreaterThanOrEqual(50);
  });
});
