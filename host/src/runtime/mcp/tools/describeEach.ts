import { isDriverError } from '@tabularium/sdk';
import type { Session, TableDescription, TableRef } from '@tabularium/sdk';

const DESCRIBED_AT_ONCE = 4;
/** After this time the next table isn't held up any longer: this one may be locked by somebody. */
const PATIENCE_MILLISECONDS = 1_000;
/** Tables that are still described beside the others for longer than that. */
const MOST_SLOW = 16;

/** Why a table wasn't described. */
export interface Undescribed {
  readonly ref: TableRef;
  /** Undefined where the time was up. */
  readonly error: unknown;
}

/** How tables are described. */
export interface DescribingOptions {
  readonly signal: AbortSignal;
  /** After this time what is there by then is the answer. */
  readonly milliseconds: number;
  /** Whether the others are still wanted. */
  readonly isWanted: () => boolean;
  /** Called for each table that is described. */
  readonly onDescribed: (description: TableDescription, index: number) => void;
  /** Called with the number of tables that are done. */
  readonly onProgress: (done: number) => void;
}

/**
 * Describes tables, one request or more for each. One that can't be described, or that waits for somebody's lock, holds up no other.
 *
 * @returns the tables that were asked for in vain, and how many were begun
 */
export async function describeEach(
  session: Pick<Session, 'describeTable'>,
  tables: readonly TableRef[],
  { signal, milliseconds, isWanted, onDescribed, onProgress }: DescribingOptions,
): Promise<{ readonly undescribed: readonly Undescribed[]; readonly begun: number }> {
  const timeIsUp = new AbortController();
  const timer = setTimeout(() => timeIsUp.abort(), milliseconds);
  const within = AbortSignal.any([signal, timeIsUp.signal]);
  const undescribed: Undescribed[] = [];
  const slow = new Set<Promise<void>>();
  let begun = 0;
  let done = 0;
  const describeOne = async (ref: TableRef, index: number): Promise<void> => {
    try {
      onDescribed(await session.describeTable(ref, { signal: within }), index);
    } catch (error) {
      if (signal.aborted || !isDriverError(error)) throw error;
      undescribed.push({ ref, error: timeIsUp.signal.aborted ? undefined : error });
    }
    done += 1;
    onProgress(done);
  };
  const work = tables.entries();
  const oneAfterTheOther = async (): Promise<void> => {
    for (const [index, ref] of work) {
      if (!isWanted() || within.aborted) return;
      begun += 1;
      const described = describeOne(ref, index);
      if (await isSettledSoon(described)) continue;
      slow.add(described);
      void described.then(
        () => slow.delete(described),
        () => undefined,
      );
      if (slow.size >= MOST_SLOW) await Promise.race(slow);
    }
  };
  try {
    await Promise.all(Array.from({ length: DESCRIBED_AT_ONCE }, oneAfterTheOther));
    await Promise.all(slow);
  } finally {
    clearTimeout(timer);
  }
  return { undescribed, begun };
}

/** @throws what the work throws until then */
async function isSettledSoon(work: Promise<void>): Promise<boolean> {
  const { promise: isLate, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), PATIENCE_MILLISECONDS);
  try {
    return await Promise.race([work.then(() => true as const), isLate]);
  } finally {
    clearTimeout(timer);
  }
}
