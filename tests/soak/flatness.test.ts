import { describe, expect, it } from 'vitest';
import { flatness } from './flatness.ts';
import type { ProcessSample } from './processSample.ts';

const MEGABYTE = 1_048_576;

/** An hour of samples, one in five seconds. */
function run(change: (at: number) => Partial<ProcessSample>): ProcessSample[] {
  return Array.from({ length: 720 }, (_, at) => ({
    ...{
      seconds: at * 5,
      host: (120 + (at % 7)) * MEGABYTE,
      drivers: 70 * MEGABYTE,
      driverProcesses: 1,
      handles: 40,
      threads: 11,
    },
    ...(at % 12 === 0 ? { liveHeap: 30 * MEGABYTE } : {}),
    ...change(at),
  }));
}

const risen = (change: (at: number) => Partial<ProcessSample>): string[] =>
  flatness(run(change)).flatMap(({ name, isFlat }) => (isFlat ? [] : [name]));

describe('measurements of a long run', () => {
  it('are flat where they come and go, and where only the start needs more', () => {
    expect(risen(() => ({}))).toEqual([]);
    expect(risen((at) => ({ host: (at < 144 ? 60 + at / 2 : 132) * MEGABYTE }))).toEqual([]);
  });

  it.each<[string, (at: number) => Partial<ProcessSample>]>([
    ['host, resident MB', (at) => ({ host: (114 + (29 * at) / 720) * MEGABYTE })],
    ['host, live heap MB', (at) => (at % 12 === 0 ? { liveHeap: (30 + at / 100) * MEGABYTE } : {})],
    ['one driver, resident MB', (at) => ({ drivers: (70 + at / 20) * MEGABYTE })],
    ['driver processes', (at) => ({ driverProcesses: at < 600 ? 1 : 2, drivers: (at < 600 ? 70 : 140) * MEGABYTE })],
    ['handles of the host', (at) => ({ handles: 40 + Math.floor(at / 30) })],
    ['threads of the host', (at) => ({ threads: 11 + Math.floor(at / 100) })],
  ])('are not where it rises: %s', (name, change) => {
    expect(risen(change)).toEqual([name]);
  });
});
