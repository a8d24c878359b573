import { createHash } from 'node:crypto';
import { DriverError } from '@tabularium/sdk';
import type { SavedConnection } from '../../common/connection.ts';

/** Numbers that lead nowhere else. Others may: the number of a database does. */
const DURATION = /seconds|timeout/i;

/**
 * A hash of what may decide where a connection leads: its driver, and the settings that are texts or numbers. A new name, colour or secret is the same target, and so is a new
 * time-out or switch: raising the time-out is what a person does before resuming what ended by it.
 */
export function connectionTarget({ driver, settings }: Pick<SavedConnection, 'driver' | 'settings'>): string {
  const sorted = Object.entries(settings)
    .filter(([field, value]) => typeof value === 'string' || (typeof value === 'number' && !DURATION.test(field)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify(['tabularium connection target 1', driver, sorted]))
    .digest('hex');
}

/**
 * @param target - of the connection when the work began; undefined where an older host recorded none
 * @param work - such as `this import began`
 * @throws DriverError `CONFLICT` where the connection leads elsewhere by now
 */
export function requireSameTarget(connection: SavedConnection, target: string | undefined, work: string, advice: string): void {
  if (target === undefined || connectionTarget(connection) === target) return;
  throw new DriverError(
    'CONFLICT',
    `The settings of “${connection.name}” were changed since ${work}, so it may lead to another server.`,
    { details: { advice } },
  );
}
