import { DriverError } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';
import { shown } from '../names.ts';
import type { PgTable } from './pgTable.ts';

/**
 * Rows of which a role can read nothing are not changed here.
 *
 * @throws DriverError `ACCESS_REFUSED`
 */
export function refuseUnreadable({ hidesAll, description: { ref } }: PgTable): void {
  if (!hidesAll) return;
  const name = shown(ref);
  throw new DriverError('ACCESS_REFUSED', `You may read no column of “${name}”, so its rows can’t be changed here.`, {
    details: { texts: faultTexts('table.noneReadable', { name }) },
  });
}
