import type { MetricsFacet } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { MetricsInfo, TimedReading } from '../../common/metrics.ts';
import { MOST_READINGS, withoutNodes } from '../../common/metrics.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { NodeOutages } from './nodeOutages.ts';
import { Sessions } from './sessions.ts';
import type { Inject } from '../container/inject.ts';

/** A server's metrics, and the last readings, so that a window that is opened again continues where it was. */
export class Metrics {
  static readonly inject: Inject<typeof Metrics> = [Sessions, ConnectionStore];

  readonly #sessions: Pick<Sessions, 'use'>;
  readonly #readings = new Map<string, TimedReading[]>();
  readonly #outages = new Map<string, NodeOutages>();

  constructor(sessions: Pick<Sessions, 'use'>, connections: Pick<ConnectionStore, 'onChange'>) {
    this.#sessions = sessions;
    // A changed connection may be another server.
    connections.onChange(({ kind, connection }) => {
      if (kind === 'created' || kind === 'listed') return;
      this.#readings.delete(connection.id);
      this.#outages.delete(connection.id);
    });
  }

  async info(connectionId: string, signal: AbortSignal): Promise<MetricsInfo> {
    return this.#use(connectionId, signal, async ({ missingPanels }) => ({ missingPanels }));
  }

  async read(connectionId: string, signal: AbortSignal): Promise<TimedReading> {
    return this.#use(connectionId, signal, async (facet) => {
      const read = await facet.read({ signal });
      const now = Date.now();
      const reading: TimedReading = {
        ...read,
        at: new Date(now).toISOString(),
        ...(read.nodes === undefined ? {} : { notReady: this.#outagesOf(connectionId).after(read.nodes, now) }),
      };
      // The nodes of one reading are about as much as all the rest of it.
      const readings = [...(this.#readings.get(connectionId) ?? []).map(withoutNodes), reading];
      this.#readings.set(connectionId, readings.slice(-MOST_READINGS));
      return reading;
    });
  }

  history(connectionId: string): readonly TimedReading[] {
    return this.#readings.get(connectionId) ?? [];
  }

  #outagesOf(connectionId: string): NodeOutages {
    const found = this.#outages.get(connectionId) ?? new NodeOutages();
    this.#outages.set(connectionId, found);
    return found;
  }

  async #use<T>(connectionId: string, signal: AbortSignal, work: (facet: MetricsFacet) => Promise<T>): Promise<T> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest }) => {
        if (session.metrics !== undefined) return work(session.metrics);
        throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver doesn't read metrics.`);
      },
      { signal },
    );
  }
}
