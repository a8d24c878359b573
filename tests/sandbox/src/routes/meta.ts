import { cpus, freemem, totalmem } from 'node:os';
import type { ClusterNode } from '../clusterNode.ts';
import { debugState, statusText } from '../clusterNode.ts';
import type { Engine } from '../engine.ts';
import { json } from '../http.ts';
import { print, printPretty } from '../json/print.ts';
import { objectOf } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';
import type { Route } from '../router.ts';
import type { Statistics } from '../statistics.ts';

const DISK_TOTAL_BYTES = 270_553_174_016;
const DISK_USED_BYTES = 195_455_692_800;
const PERCENT = 100;

/** Values are strings here and numbers in stats.json, as on a real server. */
const metrics = (): string => {
  const memory = process.memoryUsage();
  const idle = cpus().map(({ times }) => times.idle / (times.idle + times.user + times.sys + times.nice + times.irq));
  const active = idle.map((share) => (1 - share) * PERCENT);
  const average = active.reduce((sum, share) => sum + share, 0) / Math.max(1, active.length);
  const bytes = (value: number): string => String(Math.round(value));
  const shown: [string, JsonValue][] = [
    ...active.map((share, at): [string, JsonValue] => [`system_cpu${at + 1}_active_percentage`, share.toFixed(2)]),
    ['system_cpu_active_percentage', average.toFixed(2)],
    ['system_disk_total_bytes', bytes(DISK_TOTAL_BYTES)],
    ['system_disk_used_bytes', bytes(DISK_USED_BYTES)],
    ['system_memory_total_bytes', bytes(totalmem())],
    ['system_memory_total_swap_bytes', '0'],
    ['system_memory_used_bytes', bytes(totalmem() - freemem())],
    ['system_memory_used_swap_bytes', '0'],
    ['system_network_received_bytes', '0'],
    ['system_network_sent_bytes', '0'],
    ['typesense_memory_active_bytes', bytes(memory.rss)],
    ['typesense_memory_allocated_bytes', bytes(memory.heapUsed)],
    ['typesense_memory_fragmentation_ratio', (1 - memory.heapUsed / Math.max(1, memory.rss)).toFixed(2)],
    ['typesense_memory_mapped_bytes', bytes(memory.rss)],
    ['typesense_memory_metadata_bytes', bytes(memory.external)],
    ['typesense_memory_resident_bytes', bytes(memory.rss)],
    ['typesense_memory_retained_bytes', bytes(memory.heapTotal - memory.heapUsed)],
  ];
  return printPretty(objectOf(shown));
};

export const metaRoutes = (engine: Engine, statistics: Statistics, node: () => ClusterNode): Route[] => [
  { method: 'GET', path: '/health', action: undefined, handler: () => json(200, '{"ok":true}') },
  { method: 'POST', path: '/health', action: 'health:create', handler: () => json(200, '{"ok":true}') },
  {
    method: 'GET',
    path: '/health_with_rusage',
    action: 'health_with_rusage:list',
    handler: () => json(200, print(objectOf([['ok', true]]))),
  },
  {
    method: 'GET',
    path: '/debug',
    action: 'debug:list',
    handler: () =>
      json(
        200,
        print(
          objectOf([
            ['state', debugState(node())],
            ['version', engine.features.version],
          ]),
        ),
      ),
  },
  {
    method: 'GET',
    path: '/status',
    action: 'status:list',
    handler: () => json(200, statusText(node())),
  },
  { method: 'GET', path: '/metrics.json', action: 'metrics.json:list', handler: () => json(200, metrics()) },
  {
    method: 'GET',
    path: '/stats.json',
    action: 'stats.json:list',
    handler: () => json(200, printPretty(statistics.show(engine.features))),
  },
];
