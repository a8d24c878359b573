/** One figure of the performance budget, taken in this run. */
export interface Budget {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: 'ratio' | 'milliseconds' | 'kilobytes' | 'tokens' | 'yes';
  readonly holds: boolean;
  /** The least work that the value could be, measured in the same run. */
  readonly yardstick?: { readonly name: string; readonly value: number };
}

/** A figure that must not be above its limit. */
export function atMost(
  name: string,
  value: number,
  limit: number,
  unit: Budget['unit'],
  yardstick?: Budget['yardstick'],
): Budget {
  const rounded = toThousandths(value);
  return {
    ...{ name, value: rounded, limit, unit, holds: rounded <= limit },
    ...(yardstick === undefined ? {} : { yardstick: { ...yardstick, value: toThousandths(yardstick.value) } }),
  };
}

function toThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The middle of the values: outliers of a shared machine do not count. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** How long a piece of work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
