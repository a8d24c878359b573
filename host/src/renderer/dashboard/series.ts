import type { Metric } from '@tabularium/sdk';
import { MOST_READINGS, withoutNodes } from '../../common/metrics.ts';
import type { TimedReading } from '../../common/metrics.ts';

/** A line: seconds since 1970, and the value then; null where a reading lacks it, which breaks the line. */
export interface Series {
  readonly seconds: readonly number[];
  readonly values: readonly (number | null)[];
}

export function seriesOf(readings: readonly TimedReading[], id: string): Series {
  const shown = shownNode(readings);
  return {
    seconds: readings.map(({ at }) => Date.parse(at) / 1_000),
    values: readings.map(
      ({ metrics, node }) => (node === shown ? metrics.find((metric) => metric.id === id)?.value : null) ?? null,
    ),
  };
}

/** The node that the cards are of: the one of the last reading that had any. A line has the values of this one alone. */
export function shownNode(readings: readonly TimedReading[]): string | undefined {
  return readings.findLast(({ metrics, node }) => node !== undefined || metrics.length > 0)?.node;
}

/** Twice the longest time between two readings that can be chosen: the dashboard was hidden or paused. */
const SILENCE_SECONDS = 60;

/** Where a line has to break because nothing was read for long: each as the last second before and the first one after. */
export function silencesOf(seconds: readonly number[]): readonly (readonly [number, number])[] {
  return seconds.flatMap((second, place) => {
    const before = seconds[place - 1];
    return before !== undefined && second - before > SILENCE_SECONDS ? [[before, second] as const] : [];
  });
}

/** The readings of the last minutes before the newest one; 0: all. */
export function lastMinutes(readings: readonly TimedReading[], minutes: number): readonly TimedReading[] {
  const last = readings.at(-1);
  if (minutes === 0 || last === undefined) return readings;
  const from = Date.parse(last.at) - minutes * 60_000;
  return readings.filter(({ at }) => Date.parse(at) >= from);
}

/** The metrics to show: those of the last reading, and in their last known state those that it lacks. */
export function shownMetrics(readings: readonly TimedReading[]): readonly (Metric & { readonly isOld: boolean })[] {
  const last = readings.at(-1);
  if (last === undefined) return [];
  const now = last.metrics.map((metric) => ({ ...metric, isOld: false }));
  if (last.problems.length === 0) return now;
  const known = new Set(now.map(({ id }) => id));
  const old: (Metric & { readonly isOld: boolean })[] = [];
  const shown = shownNode(readings);
  for (const { metrics } of readings.filter(({ node }) => node === shown).toReversed()) {
    for (const metric of metrics) {
      if (known.has(metric.id)) continue;
      known.add(metric.id);
      old.push({ ...metric, isOld: true });
    }
  }
  // A metric keeps its place while its source is silent, so a person finds its card.
  const whole = readings.findLast(({ problems }) => problems.length === 0) ?? last;
  const placeOf = new Map(whole.metrics.map(({ id }, place) => [id, place]));
  const place = ({ id }: Metric): number => placeOf.get(id) ?? placeOf.size;
  return [...now, ...old].toSorted((one, other) => place(one) - place(other));
}

/** The kept readings and the new one, each once, no more than the host keeps; only the last has its nodes. */
export function withReading(readings: readonly TimedReading[], next: TimedReading): readonly TimedReading[] {
  return [...readings.filter(({ at }) => at !== next.at).map(withoutNodes), next].slice(-MOST_READINGS);
}
