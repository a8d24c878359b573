import type { DriverTexts, Metric, MetricUnit } from '@tabularium/sdk';
import type { JsonObject } from '../guards.ts';

/** The paths of a server's metrics. */
export const SOURCES = { metrics: '/metrics.json', stats: '/stats.json', status: '/status' } as const;
export type SourceName = keyof typeof SOURCES;

export interface MetricField {
  readonly id: string;
  readonly label: string;
  readonly unit: MetricUnit;
  readonly source: SourceName;
  readonly member: string;
  /** The member that holds the whole. */
  readonly total?: string;
  readonly help: string;
}

const SYSTEM_MEMORY: MetricField = {
  id: 'systemMemory',
  label: 'System Memory',
  unit: 'bytes',
  source: 'metrics',
  member: 'system_memory_used_bytes',
  total: 'system_memory_total_bytes',
  help: 'Memory in use on the server’s machine.',
};
const PROCESS_MEMORY: MetricField = {
  id: 'processMemory',
  label: 'Process Memory',
  unit: 'bytes',
  source: 'metrics',
  member: 'typesense_memory_resident_bytes',
  help: 'Memory that the search server itself holds.',
};
const DISK: MetricField = {
  id: 'disk',
  label: 'Disk',
  unit: 'bytes',
  source: 'metrics',
  member: 'system_disk_used_bytes',
  total: 'system_disk_total_bytes',
  help: 'Space in use on the disk that holds the data.',
};
/** Requests, latencies and batches, over the last seconds. */
const LOAD: readonly MetricField[] = [
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
];

/** In the order of the dashboard's cards. */
export const CARD_FIELDS: readonly MetricField[] = [
  SYSTEM_MEMORY,
  PROCESS_MEMORY,
  {
    id: 'memoryFragmentation',
    label: 'Memory Fragmentation',
    unit: 'ratio',
    source: 'metrics',
    member: 'typesense_memory_fragmentation_ratio',
    help: 'The part of the server’s memory that is held and not used.',
  },
  DISK,
  ...LOAD,
  {
    id: 'cacheHits',
    label: 'Cache Hit Ratio',
    unit: 'ratio',
    source: 'stats',
    member: 'cache_hit_ratio',
    help: 'The part of searches that the cache answered. Servers report it since 29.0.',
  },
];

/** In the order of the table of nodes. */
export const NODE_FIELDS: readonly MetricField[] = [
  {
    id: 'committed',
    label: 'Committed Entries',
    unit: 'count',
    source: 'status',
    member: 'committed_index',
    help: 'The place in the cluster’s log up to which this node’s writes are certain.',
  },
  {
    id: 'queued',
    label: 'Queued Writes',
    unit: 'count',
    source: 'status',
    member: 'queued_writes',
    help: 'Writes that this node has received and not carried out yet.',
  },
  {
    id: 'cpu',
    label: 'CPU',
    unit: 'percent',
    source: 'metrics',
    member: 'system_cpu_active_percentage',
    help: 'Load of all processors of the node’s machine.',
  },
  SYSTEM_MEMORY,
  PROCESS_MEMORY,
  DISK,
  ...LOAD,
];

/** The translations of a metric's texts in the manifest. */
const textsOf = (id: string): DriverTexts => ({ label: { id: `${id}.label` }, help: { id: `${id}.help` } });

/** Undefined where the server doesn't report the metric, or reports a value that can't be shown. */
export function metricOf({ id, label, unit, member, total, help }: MetricField, values: JsonObject): Metric | undefined {
  const value = numberOf(values, member);
  const whole = total === undefined ? undefined : numberOf(values, total);
  if (value === undefined || (total !== undefined && (whole === undefined || whole === 0))) return undefined;
  return { id, label, unit, value, ...(whole === undefined ? {} : { total: whole }), help, texts: textsOf(`metric.${id}`) };
}

/** `/metrics.json` has its metrics as strings, the others as numbers. */
export function numberOf(values: JsonObject, member: string): number | undefined {
  const value = Object.hasOwn(values, member) ? values[member] : undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}
