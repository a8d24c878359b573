import { DriverError } from '@tabularium/sdk';
import type { RowChange } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';

/** A statement that the server answered without an error and without the row that it was for. */
export function prevented(kind: RowChange['kind']): DriverError {
  return new DriverError('CONFLICT', `A trigger or a rule of the table kept the server from making the ${kind}.`, {
    details: { texts: faultTexts('edit.kept') },
  });
}
