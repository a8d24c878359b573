import type { MetricsReading } from '@tabularium/sdk';
import type { TimedReading } from '../../common/metrics.ts';

type Outages = NonNullable<TimedReading['notReady']>;

/** A node that was ready this long ago may have been out for a while when it is seen so. */
const SHORTLY_MILLISECONDS = 60_000;

/** Since when nodes of one connection aren't ready, as far as its readings show it. */
export class NodeOutages {
  #outages: Outages = [];
  #lastReady = new Map<string, number>();

  /** @param at - milliseconds since 1970 */
  after(nodes: NonNullable<MetricsReading['nodes']>, at: number): Outages {
    const before = new Map(this.#outages.map((outage) => [outage.node, outage]));
    this.#outages = nodes.filter(({ state }) => state !== 'ready').map(({ name }) => before.get(name) ?? this.#begun(name, at));
    for (const { name, state } of nodes) if (state === 'ready') this.#lastReady.set(name, at);
    return this.#outages;
  }

  #begun(node: string, at: number): Outages[number] {
    const orEarlier = at - (this.#lastReady.get(node) ?? -Infinity) > SHORTLY_MILLISECONDS;
    return { node, since: new Date(at).toISOString(), orEarlier };
  }
}
