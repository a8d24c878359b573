import type { Inject } from '../container/inject.ts';
import type { Measure, Sample } from './prometheusText.ts';

/** Seconds. A person is asked in some calls, for minutes. */
const BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, Infinity] as const;
/** Drivers with a label of their own; those beyond it share one. Somebody could install any number, under any name. */
const MOST_DRIVERS = 30;
const OTHER = 'other';
const DRIVER_ID = /^[a-z][a-z0-9-]{0,63}$/;

/** How a request to a driver ended. */
export type RequestOutcome = 'done' | 'failed' | 'cancelled';

/**
 * The host's counts of its own work. Labels are words of the host and ids of drivers alone: the name of a person, table, connection or client would
 * be private, and make any number of series.
 */
export class HostCounters {
  static readonly inject: Inject<typeof HostCounters> = [];

  readonly #calls = new Counter(['tool', 'outcome']);
  readonly #turnedAway = new Counter(['reason']);
  readonly #requests = new Counter(['driver', 'outcome']);
  readonly #starts = new Counter(['driver']);
  readonly #ends = new Counter(['driver', 'expected']);
  readonly #durations = new Map<string, { readonly buckets: number[]; sum: number; count: number }>();
  readonly #drivers = new Set<string>();

  /** @param tool - a word of the host, whatever a client has asked for */
  mcpCall(tool: string, outcome: string, milliseconds: number): void {
    this.#calls.add([tool, outcome]);
    const seconds = milliseconds / 1_000;
    const found = this.#durations.get(tool) ?? { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
    this.#durations.set(tool, found);
    found.sum += seconds;
    found.count += 1;
    for (const [index, limit] of BUCKETS.entries()) if (seconds <= limit) found.buckets[index] = (found.buckets[index] ?? 0) + 1;
  }

  mcpTurnedAway(reason: string): void {
    this.#turnedAway.add([reason]);
  }

  driverRequest(driver: string, outcome: RequestOutcome): void {
    this.#requests.add([this.#driver(driver), outcome]);
  }

  driverStarted(driver: string): void {
    this.#starts.add([this.#driver(driver)]);
  }

  driverEnded(driver: string, expected: boolean): void {
    this.#ends.add([this.#driver(driver), String(expected)]);
  }

  measures(): readonly Measure[] {
    const durations = [...this.#durations].flatMap(([tool, { buckets, sum, count }]): Sample[] => [
      ...BUCKETS.map((limit, index) => ({
        suffix: '_bucket',
        labels: { tool, le: limit === Infinity ? '+Inf' : String(limit) },
        value: buckets[index] ?? 0,
      })),
      { suffix: '_sum', labels: { tool }, value: sum },
      { suffix: '_count', labels: { tool }, value: count },
    ]);
    const counter = (name: string, help: string, { samples }: Counter): Measure => ({ name, help, type: 'counter', samples });
    return [
      counter('tabularium_mcp_calls_total', 'Calls of MCP clients, by tool and outcome.', this.#calls),
      {
        name: 'tabularium_mcp_call_duration_seconds',
        help: 'How long calls of MCP clients took, by tool.',
        type: 'histogram',
        samples: durations,
      },
      counter('tabularium_mcp_turned_away_total', 'Requests that got no further than the door.', this.#turnedAway),
      counter('tabularium_database_requests_total', 'Requests to drivers, by driver and outcome.', this.#requests),
      counter('tabularium_driver_starts_total', 'Processes of drivers that were started.', this.#starts),
      counter('tabularium_driver_ends_total', 'Processes of drivers that ended, as expected or not.', this.#ends),
    ];
  }

  #driver(id: string): string {
    if (this.#drivers.has(id)) return id;
    if (this.#drivers.size >= MOST_DRIVERS || !DRIVER_ID.test(id)) return OTHER;
    this.#drivers.add(id);
    return id;
  }
}

/** Counts by labels; the values of labels are of a bounded number. */
class Counter {
  readonly #names: readonly string[];
  readonly #counts = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  add(values: readonly string[]): void {
    const key = values.join('\n');
    const found = this.#counts.get(key);
    if (found !== undefined) found.value += 1;
    else this.#counts.set(key, { labels: Object.fromEntries(this.#names.map((name, at) => [name, values[at] ?? ''])), value: 1 });
  }

  get samples(): readonly Sample[] {
    return [...this.#counts.values()];
  }
}
