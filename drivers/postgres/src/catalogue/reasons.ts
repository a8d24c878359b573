import { DriverError, driverText } from '@tabularium/sdk';
import type { Ability } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';

/** Why something can't be done, and where the manifest has that in other languages. */
export interface Fixed {
  readonly reason: string;
  readonly id: string;
}

export const STANDBY: Fixed = { reason: 'The server is a standby, which takes no changes.', id: 'table.standby' };

/** Its rows are roles, rights and the structure of everything, and the server checks none of a change in them. */
export const SYSTEM_CATALOGUE: Fixed = {
  reason: 'It is a system catalogue of PostgreSQL. Change it with the statements made for that, in the console.',
  id: 'table.system',
};

export function no({ reason, id }: Fixed, values: Readonly<Record<string, string>> = {}): Ability {
  return { allowed: false, reason, texts: { reason: driverText(id, values) } };
}

/** A table whose rows can't be changed. */
export function unchangeable({ reason, id }: Fixed): DriverError {
  return new DriverError('UNSUPPORTED', reason, { details: { texts: faultTexts(id) } });
}

/** A column that can't be changed, for the reason that its description has. */
export function notEditable(name: string, { reason, texts }: Exclude<Ability, { allowed: true }>): DriverError {
  return new DriverError('UNSUPPORTED', `“${name}”: ${reason}`, {
    details: { field: name, texts: { message: texts?.['reason'] } },
  });
}
