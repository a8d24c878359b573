import { float, objectOf } from './json/value.ts';
import type { JsonObject, JsonValue } from './json/value.ts';
import type { Features } from './versions.ts';

const WINDOW_SECONDS = 10;
const MILLISECONDS = 1000;
const PERCENTILES = [70, 95, 99] as const;
const KINDS = ['delete', 'import', 'search', 'write'] as const;

export type RequestKind = (typeof KINDS)[number];

interface Sample {
  readonly at: number;
  readonly name: string;
  readonly kind: RequestKind | undefined;
  readonly milliseconds: number;
}

const kindOf = (method: string, path: string): RequestKind | undefined => {
  if (path === '/multi_search' || path.endsWith('/documents/search')) return 'search';
  if (path.endsWith('/documents/import')) return 'import';
  if (!path.includes('/documents')) return undefined;
  if (method === 'DELETE') return 'delete';
  return method === 'GET' ? undefined : 'write';
};

/** The content of `stats.json`: the rates and times of the last ten seconds. */
export class Statistics {
  #samples: Sample[] = [];
  cacheMisses = 0;

  record(method: string, path: string, milliseconds: number): void {
    this.#samples.push({ at: Date.now(), name: `${method} ${path}`, kind: kindOf(method, path), milliseconds });
    this.#trim();
  }

  show(features: Features): JsonObject {
    this.#trim();
    const shown: [string, JsonValue][] = [
      ['latency_ms', this.#byName((samples) => float(average(samples)))],
      ['overloaded_requests_per_second', 0],
      ['pending_write_batches', 0],
      ['requests_per_second', this.#byName((samples) => float(samples.length / WINDOW_SECONDS))],
      ['total_requests_per_second', float(this.#samples.length / WINDOW_SECONDS)],
    ];
    if (features.cacheStatistics) {
      shown.push(['cache_hit_ratio', float(0)]);
      if (this.cacheMisses > 0) shown.push(['cache_miss_count', this.cacheMisses]);
    }
    for (const kind of KINDS) shown.push(...this.#kind(kind, features));
    return objectOf(shown);
  }

  #kind(kind: RequestKind, features: Features): [string, JsonValue][] {
    const samples = this.#samples.filter((sample) => sample.kind === kind);
    if (samples.length === 0) {
      return [
        [`${kind}_latency_ms`, 0],
        [`${kind}_requests_per_second`, 0],
      ];
    }
    const averages: [string, JsonValue][] = [
      [`${kind}_latency_ms`, float(average(samples))],
      [`${kind}_requests_per_second`, float(samples.length / WINDOW_SECONDS)],
    ];
    if (!features.latencyPercentiles) return averages;
    const times = samples.map(({ milliseconds }) => Math.floor(milliseconds)).sort((left, right) => left - right);
    const percentile = (share: number): number =>
      times[Math.min(times.length - 1, Math.floor((times.length * share) / 100))] ?? 0;
    return [
      ...averages,
      ...PERCENTILES.map((share): [string, JsonValue] => [`${kind}_${share}Percentile_latency_ms`, float(percentile(share))]),
      [`${kind}_max_latency_ms`, times.at(-1) ?? 0],
      [`${kind}_min_latency_ms`, times[0] ?? 0],
    ];
  }

  #byName(value: (samples: readonly Sample[]) => JsonValue): JsonObject {
    const groups = Map.groupBy(this.#samples, ({ name }) => name);
    return objectOf([...groups].map(([name, samples]) => [name, value(samples)]));
  }

  #trim(): void {
    const oldest = Date.now() - WINDOW_SECONDS * MILLISECONDS;
    const first = this.#samples.findIndex(({ at }) => at >= oldest);
    if (first > 0) this.#samples = this.#samples.slice(first);
    else if (first === -1) this.#samples = [];
  }
}

const average = (samples: readonly Sample[]): number =>
  samples.length === 0 ? 0 : samples.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / samples.length;
