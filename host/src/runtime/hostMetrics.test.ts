import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostMetrics } from './hostMetrics.ts';
import { HostCounters } from './measures/hostCounters.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function bench() {
  const delay = monitorEventLoopDelay();
  const [enable, disable] = [vi.spyOn(delay, 'enable').mockReturnValue(true), vi.spyOn(delay, 'disable').mockReturnValue(true)];
  let isMeasuring = false;
  enable.mockImplementation(() => (isMeasuring = true));
  disable.mockImplementation(() => !(isMeasuring = false));
  const metrics = new HostMetrics({
    version: '1.0.0',
    counters: new HostCounters(),
    mcp: { onCall: () => () => undefined, onTurnedAway: () => () => undefined },
    processes: { counts: () => ({ starting: 0, running: 0 }) as never },
    jobs: () => ({ import: 0, export: 0, operation: 0 }),
    delay,
  });
  return { metrics, isMeasuring: () => isMeasuring };
}

const startOf = (text: string): string | undefined => /^process_start_time_seconds (\d+)$/m.exec(text)?.[1];

describe('HostMetrics', () => {
  it('give the same time of the start, also when the clock is set', () => {
    const { metrics } = bench();
    const before = startOf(metrics.text(0));
    expect(Number(before)).toBeGreaterThan(1_700_000_000);
    for (const shift of [400, 700, 86_400_000]) {
      vi.setSystemTime(Date.now() + shift);
      expect(startOf(metrics.text(0))).toBe(before);
    }
    metrics[Symbol.dispose]();
  });

  it('measure the event loop only while a program asks', () => {
    const { metrics, isMeasuring } = bench();
    expect(isMeasuring()).toBe(false);
    metrics.text(0);
    vi.advanceTimersByTime(9 * 60_000);
    metrics.text(0);
    vi.advanceTimersByTime(9 * 60_000);
    expect(isMeasuring()).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(isMeasuring()).toBe(false);
    metrics.text(0);
    metrics.stopMeasuring();
    expect(isMeasuring()).toBe(false);
  });
});
