import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostLinkWatch } from './hostLink.ts';
import type { HostFound } from './returnToHost.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watchOf(first: HostFound['is']) {
  let answer: HostFound = { is: first } as HostFound;
  const find = vi.fn(async () => answer);
  const moveTo = vi.fn();
  const watch = new HostLinkWatch({ find, moveTo });
  const onReturn = vi.fn();
  watch.onReturn(onReturn);
  return { watch, find, moveTo, onReturn, answers: (next: HostFound) => void (answer = next) };
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('a window that looks for its host', () => {
  it('says nothing where the host answers after all', async () => {
    const { watch, onReturn } = watchOf('same');
    watch.look();
    await settle();
    expect(watch.store.getState()).toEqual({ is: 'up' });
    expect(onReturn).not.toHaveBeenCalled();
  });

  it('looks twice as late each time, up to ten seconds, and at once when a person asks', async () => {
    const { watch, find } = watchOf('nothing');
    watch.look();
    await settle();
    const pauses: number[] = [];
    for (let look = 0; look < 7; look += 1) {
      const link = watch.store.getState();
      if (link.is !== 'down' || link.retryAt === undefined) throw new Error('It is not waiting.');
      pauses.push(link.retryAt - Date.now());
      await vi.advanceTimersByTimeAsync(link.retryAt - Date.now());
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(find).toHaveBeenCalledTimes(8);
    watch.look();
    expect(watch.store.getState()).toEqual({ is: 'down', retryAt: undefined });
    watch.look();
    await settle();
    expect(find).toHaveBeenCalledTimes(9);
  });

  it('continues with the same run of the host, and under another path after a restart', async () => {
    const { watch, answers, onReturn, moveTo } = watchOf('nothing');
    watch.look();
    await settle();
    const up = vi.fn();
    void watch.whenUp().then(up);
    await settle();
    expect(up).not.toHaveBeenCalled();
    answers({ is: 'same' });
    await vi.advanceTimersByTimeAsync(500);
    expect(up).toHaveBeenCalledTimes(1);
    expect(onReturn).toHaveBeenLastCalledWith({ restarted: false });
    answers({ is: 'restarted', path: '/w/next/' });
    watch.look();
    await settle();
    expect(moveTo).toHaveBeenCalledWith('/w/next/');
    expect(onReturn).toHaveBeenLastCalledWith({ restarted: true });
  });

  it.each(['expired', 'stranger'] as const)('stops looking where the answer is final: %s', async (is) => {
    const { watch, find } = watchOf(is);
    watch.look();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(watch.store.getState()).toEqual({ is });
    expect(find).toHaveBeenCalledTimes(1);
  });
});
