import { describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { MetricsFacet, Session } from '@tabularium/sdk';
import { FORBIDDEN, answering, json } from '../answers.test-helper.ts';
import type { Answer } from '../answers.test-helper.ts';
import { connect } from '../connect.ts';
import { call, open, startFixture } from '../fixture.test-helper.ts';

function metricsOf(session: Session): MetricsFacet {
  if (session.metrics === undefined) throw new Error('The session has no metrics.');
  return session.metrics;
}

const METRICS = {
  system_memory_used_bytes: '560816128',
  system_memory_total_bytes: '25276502016',
  typesense_memory_resident_bytes: '59506688',
  typesense_memory_fragmentation_ratio: '0.27',
  system_disk_used_bytes: '195455692800',
  system_disk_total_bytes: '270553174016',
};
const STATS = {
  total_requests_per_second: 12.5,
  search_latency_ms: 3,
  write_latency_ms: 0.5,
  pending_write_batches: 2,
  cache_hit_ratio: 0.25,
};

async function read(metrics: Answer, stats: Answer): ReturnType<MetricsFacet['read']> {
  const http = answering(({ path }) => (path === '/metrics.json' ? metrics : path === '/stats.json' ? stats : json([])));
  return metricsOf(await connect({}, { http, log: () => undefined }, call)).read(call);
}

const without = (object: object, ...names: string[]): object =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

describe('the metrics of the server', () => {
  it('have units, wholes and an order', async () => {
    const { metrics, problems } = await read(json(METRICS), json(STATS));
    expect(problems).toEqual([]);
    expect(metrics.map(({ label, unit, value, total }) => [label, unit, value, ...(total === undefined ? [] : [total])])).toEqual(
      [
        ['System Memory', 'bytes', 560_816_128, 25_276_502_016],
        ['Process Memory', 'bytes', 59_506_688],
        ['Memory Fragmentation', 'ratio', 0.27],
        ['Disk', 'bytes', 195_455_692_800, 270_553_174_016],
        ['Requests', 'perSecond', 12.5],
        ['Search Latency', 'milliseconds', 3],
        ['Write Latency', 'milliseconds', 0.5],
        ['Pending Write Batches', 'count', 2],
        ['Cache Hit Ratio', 'ratio', 0.25],
      ],
    );
    expect(new Set(metrics.map(({ id }) => id)).size).toBe(9);
  });

  it.each<[string, object, object, string[]]>([
    ['a missing one', METRICS, without(STATS, 'cache_hit_ratio'), ['cacheHits']],
    ['a missing whole', without(METRICS, 'system_disk_total_bytes'), STATS, ['disk']],
    ['a whole of nothing', { ...METRICS, system_memory_total_bytes: '0' }, STATS, ['systemMemory']],
    [
      'what is no number',
      { ...METRICS, typesense_memory_resident_bytes: 'n/a' },
      { ...STATS, search_latency_ms: null },
      ['processMemory', 'searchLatency'],
    ],
    [
      'an empty text',
      { ...METRICS, typesense_memory_fragmentation_ratio: '' },
      { ...STATS, pending_write_batches: -1 },
      ['memoryFragmentation', 'pendingWrites'],
    ],
  ])('leave out %s, and nothing else', async (_name, metrics, stats, missing) => {
    const reading = await read(json(metrics), json(stats));
    const ids = reading.metrics.map(({ id }) => id);
    for (const id of missing) expect(ids).not.toContain(id);
    expect(ids.length).toBe(9 - missing.length);
    expect(reading.problems).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['refused', FORBIDDEN],
    ['broken', { body: '<html>' }],
    ['not ready', { status: 503, body: '{"message":"Not Ready or Lagging"}' }],
    ['a list', json([])],
  ])('of one source remain when the other is %s', async (_name, fault) => {
    const stats = await read(json(METRICS), fault);
    expect(stats.metrics.map(({ id }) => id)).toEqual(['systemMemory', 'processMemory', 'memoryFragmentation', 'disk']);
    expect(stats.problems).toEqual([{ source: '/stats.json', message: expect.stringMatching(/.+/) as string }]);
    const metrics = await read(fault, json(STATS));
    expect(metrics.metrics).toHaveLength(5);
    expect(metrics.problems.map(({ source }) => source)).toEqual(['/metrics.json']);
    await expect(read(fault, fault)).rejects.toMatchObject({ name: 'DriverError' });
  });

  it('say why there are no sessions and no slow queries', async () => {
    const http = answering(() => json([]));
    const { missingPanels } = metricsOf(await connect({}, { http, log: () => undefined }, call));
    expect(missingPanels.map(({ id }) => id)).toEqual(['sessions', 'slowQueries']);
    expect(missingPanels.every(({ reason }) => /^The search server .*\.$/.test(reason))).toBe(true);
  });

  it.each(sandboxVersions)('are there in version %s', async (version) => {
    const sandbox = await startFixture(version);
    const session = await open(sandbox);
    const { metrics, problems } = await metricsOf(session).read(call);
    await session.close();
    await sandbox.close();
    expect(problems).toEqual([]);
    const hasCacheMetric = ['29.0', '30.0'].includes(version);
    expect(metrics.map(({ id }) => id).includes('cacheHits')).toBe(hasCacheMetric);
    expect(metrics).toHaveLength(hasCacheMetric ? 9 : 8);
  });
});
