import type { ProcessSample } from './processSample.ts';

/** How far a measurement of a process rose over a run. */
export interface Flatness {
  readonly name: string;
  /** The middle value of the second fifth of the run: what starts and caches need is there by then. */
  readonly early: number;
  /** The middle value of the last fifth. */
  readonly late: number;
  readonly most: number;
  /** Units by which `late` may be above `early`. */
  readonly allowed: number;
  readonly isFlat: boolean;
}

const MEGABYTE = 1_048_576;
/** Noise of the collector: resident memory is as much as it last needed. */
const MEASUREMENTS = [
  { name: 'host, resident MB', read: (sample: ProcessSample) => sample.host / MEGABYTE, allowed: 16 },
  { name: 'host, live heap MB', read: ({ liveHeap }: ProcessSample) => (liveHeap ?? Number.NaN) / MEGABYTE, allowed: 3 },
  { name: 'one driver, resident MB', read: driverMegabytes, allowed: 16 },
  { name: 'driver processes', read: ({ driverProcesses }: ProcessSample) => driverProcesses, allowed: 0 },
  { name: 'handles of the host', read: ({ handles }: ProcessSample) => handles, allowed: 8 },
  { name: 'threads of the host', read: ({ threads }: ProcessSample) => threads, allowed: 2 },
] as const;

/** Compares the beginning of a run with its end, for each measurement. */
export function flatness(samples: readonly ProcessSample[]): readonly Flatness[] {
  return MEASUREMENTS.map(({ name, read, allowed }) => {
    const values = samples.map(read).filter((value) => !Number.isNaN(value));
    const fifth = Math.max(1, Math.floor(values.length / 5));
    const early = middle(values.slice(fifth, 2 * fifth));
    const late = middle(values.slice(-fifth));
    return { name, early, late, most: Math.max(...values), allowed, isFlat: late - early <= allowed };
  });
}

function driverMegabytes({ drivers, driverProcesses }: ProcessSample): number {
  return driverProcesses === 0 ? Number.NaN : drivers / driverProcesses / MEGABYTE;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
