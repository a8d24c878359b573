import type { SearchResult } from './search/search.ts';

/** How slow a paced sandbox is. The defaults were measured on a real 29.0 with two cores. */
export interface PaceOptions {
  /** The highest rate of an export. */
  readonly exportMegabytesPerSecond?: number;
  /** 2 makes every search take twice as long as it would on the machine that was measured. */
  readonly searchFactor?: number;
}

export interface Pace {
  readonly exportBytesPerSecond: number;
  readonly searchFactor: number;
}

const DEFAULT_EXPORT_MEGABYTES = 75;
const MEGABYTE = 1_000_000;

/** Fitted to: a count 1.6 ms, 4×250 rows of 457 bytes 23.6 ms, the same at offset 50,000 71 ms and at 98,000 187 ms. */
const COUNT_MS = 1.5;
const ROW_MS = 0.005;
const BYTE_MS = 0.000027;
const SKIPPED_MS = 0.00005;
const SKIPPED_SQUARED_MS = 3.746e-9;
/** A page of 100,000 documents takes 183 ms when sorted by a string and 52 ms by a float. */
const TEXT_SORTED_MS = 0.0004;
const NUMBER_SORTED_MS = 0.00007;

export const readPace = (option: boolean | PaceOptions | undefined): Pace | undefined => {
  if (option === undefined || option === false) return undefined;
  const given = option === true ? {} : option;
  return {
    exportBytesPerSecond: (given.exportMegabytesPerSecond ?? DEFAULT_EXPORT_MEGABYTES) * MEGABYTE,
    searchFactor: given.searchFactor ?? 1,
  };
};

export const searchCost = ({ found, shown, skipped, sorts, text, textSorted }: SearchResult): number => {
  const perSorted = sorts.length === 0 ? 0 : textSorted ? TEXT_SORTED_MS : NUMBER_SORTED_MS;
  const rows = shown === 0 ? 0 : ROW_MS * shown + BYTE_MS * text.length;
  return COUNT_MS + rows + SKIPPED_MS * skipped + SKIPPED_SQUARED_MS * skipped * skipped + perSorted * found;
};

const MINIMUM_WAIT_MS = 1;

/** Waits until `milliseconds` have gone by since `started`, or the signal ends the wait. */
export const waitUntil = async (started: number, milliseconds: number, signal: AbortSignal): Promise<void> => {
  const left = milliseconds - (performance.now() - started);
  if (left < MINIMUM_WAIT_MS || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, left);
    signal.addEventListener('abort', finish, { once: true });
  });
};
