import { setTimeout as pause } from 'node:timers/promises';
import { isDriverError } from '@tabularium/sdk';
import { stopIfCancelled } from '../fault.ts';
import type { PgStep } from '../wire/batch.ts';

/** How long a read waits for a lock with a connection, before it gives that back. */
const BRIEF_MILLISECONDS = 250;
/** How long it waits in all. */
export const LONGEST_WAIT_MILLISECONDS = 10_000;
/** Locked things for each of which one read waits on with a connection. */
const MOST_WAITING = 2;
const PAUSE_MILLISECONDS = 1_000;

/**
 * Reads of a session that wait for locks of others. Each tries for a moment; after that one for each locked thing waits with a connection, for few things at once, and the others wait without one. So
 * tables that somebody has locked never take all connections.
 */
export class LockPatience {
  readonly #ends = new Map<string, Promise<void>>();

  /**
   * @param what - names the locked thing among others
   * @param attempt - begins with the step that it gets, which limits the wait for a lock in a transaction; called again where that was too short
   * @throws DriverError of {@link isLockTimeout} where the lock was held for too long
   */
  async patiently<T>(what: string, signal: AbortSignal, attempt: (limit: PgStep) => Promise<T>): Promise<T> {
    const end = performance.now() + LONGEST_WAIT_MILLISECONDS;
    for (;;) {
      try {
        return await attempt(limitOf(BRIEF_MILLISECONDS));
      } catch (error) {
        if (!isLockTimeout(error) || performance.now() >= end) throw error;
      }
      const left = Math.max(BRIEF_MILLISECONDS, Math.ceil(end - performance.now()));
      const other = this.#ends.get(what);
      if (other === undefined && this.#ends.size < MOST_WAITING) return await this.#first(what, () => attempt(limitOf(left)));
      const passed = pause(other === undefined ? Math.min(left, PAUSE_MILLISECONDS) : left, undefined, { signal, ref: false });
      await Promise.race([...(other === undefined ? [] : [other]), passed]).catch(() => undefined);
      stopIfCancelled(signal);
    }
  }

  async #first<T>(what: string, wait: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.set(what, promise);
    try {
      return await wait();
    } finally {
      this.#ends.delete(what);
      resolve();
    }
  }
}

function limitOf(milliseconds: number): PgStep {
  return { text: `SET LOCAL lock_timeout = ${milliseconds}` };
}

/** For the statements behind the locks, which wait as those of a person do. */
export const NO_LOCK_LIMIT: PgStep = { text: 'SET LOCAL lock_timeout = 0' };

/** Whether a lock was held for longer than a statement waits. */
export function isLockTimeout(error: unknown): boolean {
  return isDriverError(error) && error.details.status === '55P03';
}
