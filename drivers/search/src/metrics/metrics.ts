import { isDriverError } from '@tabularium/sdk';
import type { DriverError, MetricsFacet, MetricsReading } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import type { JsonObject } from '../guards.ts';
import { isObject } from '../guards.ts';
import { CARD_FIELDS, SOURCES, metricOf } from './metricFields.ts';
import { readNodes } from './nodes.ts';

/** The metrics of the server, of two sources, each of which may fail without the other; and of each node where there are several. */
export function createMetrics(client: SearchClient): MetricsFacet {
  return {
    missingPanels: [
      {
        id: 'sessions',
        label: 'Sessions',
        reason: 'The search server has no sessions: each request is independent.',
        texts: { label: { id: 'panel.sessions.label' }, reason: { id: 'panel.sessions.reason' } },
      },
      {
        id: 'slowQueries',
        label: 'Slow Queries',
        reason: 'The search server has no list of slow searches; it only logs them.',
        texts: { label: { id: 'panel.slowQueries.label' }, reason: { id: 'panel.slowQueries.reason' } },
      },
    ],
    read: ({ signal }) => (client.nodes.length > 1 ? readNodes(client, signal) : readServer(client, signal)),
  };
}

async function readServer(client: SearchClient, signal: AbortSignal): Promise<MetricsReading> {
  const [metrics, stats] = await Promise.all([
    readSource(SOURCES.metrics, client, signal),
    readSource(SOURCES.stats, client, signal),
  ]);
  if ('error' in metrics && 'error' in stats) throw metrics.error;
  const values = { metrics, stats };
  return {
    metrics: CARD_FIELDS.flatMap((field) => {
      const source = field.source === 'metrics' ? metrics : stats;
      return 'error' in source ? [] : (metricOf(field, source.values) ?? []);
    }),
    problems: Object.entries(values).flatMap(([source, value]): MetricsReading['problems'] =>
      'error' in value ? [{ source: SOURCES[source as keyof typeof values], message: value.error.message }] : [],
    ),
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
