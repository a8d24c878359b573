import { isDriverError } from '@tabularium/sdk';
import { HostError } from '../../../common/errors.ts';

/** The table that rows go to. */
export interface WrittenTarget {
  readonly connection: string;
  readonly table: string;
  /** It is the one that they come from, which isn't made. */
  readonly isSource?: boolean;
}

/**
 * Says that a missing table can be made, and where it is missing: a copy has two connections.
 *
 * @throws HostError `INVALID_REQUEST` instead of a driver's `NOT_FOUND`; every other error as it is
 */
export async function sayCreate<T>({ connection, table, isSource = false }: WrittenTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isDriverError(cause) || cause.code !== 'NOT_FOUND') throw cause;
    throw new HostError('INVALID_REQUEST', `“${connection}” has no “${table}”.`, {
      cause,
      details: {
        advice: isSource
          ? 'Correct the name: “tabularium tables” lists them.'
          : 'Correct the name, or add --create to make it there.',
      },
    });
  }
}
