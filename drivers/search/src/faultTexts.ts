import { driverText } from '@tabularium/sdk';
import type { DriverTexts } from '@tabularium/sdk';

type Values = NonNullable<Parameters<typeof driverText>[1]>;

/**
 * The translations of an error.
 *
 * @param id - of its message
 * @param advice - the id of its advice
 */
export function faultTexts(id: string, values: Values = {}, advice?: string, adviceValues: Values = {}): DriverTexts {
  return { message: driverText(id, values), ...(advice === undefined ? {} : { advice: driverText(advice, adviceValues) }) };
}
