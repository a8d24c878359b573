import { isDriverError } from '@tabularium/sdk';
import type { DriverError, Metric, MetricsFacet, MetricsReading, MetricUnit } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import type { JsonObject } from '../guards.ts';
import { isObject } from '../guards.ts';

interface MetricField {
  readonly id: string;
  readonly label: string;
  readonly unit: MetricUnit;
  readonly source: 'metrics' | 'stats';
  readonly member: string;
  /** The member that holds the whole. */
  readonly total?: string;
  readonly help: string;
}

/** In the order of the dashboard. */
const METRIC_FIELDS: readonly MetricField[] = [
  {
    id: 'systemMemory',
    label: 'System Memory',
    unit: 'bytes',
    source: 'metrics',
    member: 'system_memory_used_bytes',
    total: 'system_memory_total_bytes',
    help: 'Memory in use on the server’s machine.',
  },
  {
    id: 'processMemory',
    label: 'Process Memory',
    unit: 'bytes',
    source: 'metrics',
    member: 'typesense_memory_resident_bytes',
    help: 'Memory that the search server itself holds.',
  },
  {
    id: 'memoryFragmentation',
    label: 'Memory Fragmentation',
    unit: 'ratio',
    source: 'metrics',
    member: 'typesense_memory_fragmentation_ratio',
    help: 'The part of the server’s memory that is held and not used.',
  },
  {
    id: 'disk',
    label: 'Disk',
    unit: 'bytes',
    source: 'metrics',
    member: 'system_disk_used_bytes',
    total: 'system_disk_total_bytes',
    help: 'Space in use on the disk that holds the data.',
  },
  {
    id: 'requests',
    label: 'Requests',
    unit: 'perSecond',
    source: 'stats',
    member: 'total_requests_per_second',
    help: 'All requests, over the last seconds.',
  },
  {
    id: 'searchLatency',
    label: 'Search Latency',
    unit: 'milliseconds',
    source: 'stats',
    member: 'search_latency_ms',
    help: 'How long a search takes on average.',
  },
  {
    id: 'writeLatency',
    label: 'Write Latency',
    unit: 'milliseconds',
    source: 'stats',
    member: 'write_latency_ms',
    help: 'How long a write takes on average.',
  },
  {
    id: 'pendingWrites',
    label: 'Pending Write Batches',
    unit: 'count',
    source: 'stats',
    member: 'pending_write_batches',
    help: 'Writes that wait for their turn.',
  },
  {
    id: 'cacheHits',
    label: 'Cache Hit Ratio',
    unit: 'ratio',
    source: 'stats',
    member: 'cache_hit_ratio',
    help: 'The part of searches that the cache answered. Servers report it since 29.0.',
  },
];

const SOURCES = { metrics: '/metrics.json', stats: '/stats.json' } as const;

/** The metrics of the server: two sources, each of which may fail without the other. */
export function createMetrics(client: SearchClient): MetricsFacet {
  return {
    missingPanels: [
      { id: 'sessions', label: 'Sessions', reason: 'The search server has no sessions: each request is independent.' },
      {
        id: 'slowQueries',
        label: 'Slow Queries',
        reason: 'The search server has no list of slow searches; it only logs them.',
      },
    ],
    async read({ signal }) {
      const [metrics, stats] = await Promise.all([
        readSource(SOURCES.metrics, client, signal),
        readSource(SOURCES.stats, client, signal),
      ]);
      if ('error' in metrics && 'error' in stats) throw metrics.error;
      const values = { metrics, stats };
      return {
        metrics: METRIC_FIELDS.flatMap((field) => {
          const source = values[field.source];
          return 'error' in source ? [] : (metricOf(field, source.values) ?? []);
        }),
        problems: Object.entries(values).flatMap(([source, value]): MetricsReading['problems'] =>
          'error' in value ? [{ source: SOURCES[source as keyof typeof SOURCES], message: value.error.message }] : [],
        ),
      };
    },
  };
}

type Source = { readonly values: JsonObject } | { readonly error: DriverError };

async function readSource(path: string, client: SearchClient, signal: AbortSignal): Promise<Source> {
  try {
    const { value } = await client.read(path, signal);
    return isObject(value) ? { values: value } : { error: badAnswer(`GET ${path}`, 'it has no metrics') };
  } catch (error) {
    if (!isDriverError(error) || error.code === 'CANCELLED') throw error;
    return { error };
  }
}

/** Undefined where the server doesn't report the metric, or reports a value that can't be shown. */
function metricOf({ id, label, unit, member, total, help }: MetricField, values: JsonObject): Metric | undefined {
  const value = numberOf(values, member);
  const whole = total === undefined ? undefined : numberOf(values, total);
  if (value === undefined || (total !== undefined && (whole === undefined || whole === 0))) return undefined;
  return { id, label, unit, value, ...(whole === undefined ? {} : { total: whole }), help };
}

/** `/metrics.json` has its metrics as strings, `/stats.json` as numbers. */
function numberOf(values: JsonObject, member: string): number | undefined {
  const value = Object.hasOwn(values, member) ? values[member] : undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}
