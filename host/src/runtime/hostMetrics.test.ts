import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostMetrics } from './hostMetrics.ts';
import { HostCounters } from './measures/hostCounters.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function bench(counters = new HostCounters()) {
  const delay = monitorEventLoopDelay();
  const [enable, disable] = [vi.spyOn(delay, 'enable').mockReturnValue(true), vi.spyOn(delay, 'disable').mockReturnValue(true)];
  let isMeasuring = false;
  enable.mockImplementation(() => (isMeasuring = true));
  disable.mockImplementation(() => !(isMeasuring = false));
  const metrics = new HostMetrics({
    version: '1.0.0',
    counters,
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

  it('are in the grammar of the text format, and follow the rules that "promtool check metrics" has for names and labels', () => {
    const counters = new HostCounters();
    counters.mcpCall('list_tables', 'done', 30);
    counters.mcpTurnedAway('token');
    counters.driverRequest('search', 'failed');
    counters.driverStarted('search');
    counters.driverEnded('search', false);
    const { metrics } = bench(counters);
    const text = metrics.text(1);
    metrics[Symbol.dispose]();
    expect(text.endsWith('\n')).toBe(true);
    const types = new Map<string, string>();
    const series = new Set<string>();
    let helped = '';
    let family = '';
    for (const line of text.trimEnd().split('\n')) {
      const [, word, name = '', rest = ''] = /^# (HELP|TYPE) ([a-z][a-z0-9_]*) (\S.*)$/.exec(line) ?? [];
      if (word === 'HELP') helped = name;
      if (word === 'TYPE') {
        // Each family once, under its own explanation.
        expect([name, types.has(name)]).toEqual([helped, false]);
        expect(['counter', 'gauge', 'histogram']).toContain(rest);
        expect([name, name.endsWith('_total')]).toEqual([name, rest === 'counter']);
        expect(name).not.toMatch(/_(?:count|sum|bucket|info_info)$|milliseconds|_ms\b|kilobytes|megabytes/);
        types.set((family = name), rest);
      }
      if (word !== undefined) continue;
      const [, labelled = '', own = '', suffix = '', labels = '', value = ''] =
        /^(([a-z][a-z0-9_]*?)(_bucket|_sum|_count)?(?:\{((?:[a-z]+="[^"\\\n]*",?)*)\})?) (-?[\d.]+(?:e[+-]?\d+)?)$/.exec(line) ??
        [];
      expect([line, own]).toEqual([line, family]);
      expect(Number.isFinite(Number(value))).toBe(true);
      expect([line, series.has(labelled)]).toEqual([line, false]);
      series.add(labelled);
      const isHistogram = types.get(family) === 'histogram';
      expect([line, suffix !== '']).toEqual([line, isHistogram]);
      expect([line, /\ble="/.test(labels)]).toEqual([line, suffix === '_bucket']);
      // That label is for summaries, of which there are none.
      expect(labels).not.toContain('quantile=');
    }
    expect(types.size).toBeGreaterThanOrEqual(16);
    for (const name of types.keys()) expect(text).toMatch(new RegExp(`^${name}(?:_bucket)?(?:\\{.*\\})? \\d`, 'm'));
  });
});
