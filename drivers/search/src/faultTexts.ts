import type { DriverText, DriverTexts } from '@tabularium/sdk';

/** Characters of a value in a translation. */
const LONGEST_VALUE = 400;

type Values = Readonly<Record<string, string | number>>;

function textOf(id: string, values: Values): DriverText {
  const short = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, LONGEST_VALUE) : value,
  ]);
  return { id, values: Object.fromEntries(short) as Record<string, string | number> };
}

/**
 * The translations of an error.
 *
 * @param id - of its message
 * @param advice - the id of its advice
 */
export function faultTexts(id: string, values: Values = {}, advice?: string, adviceValues: Values = {}): DriverTexts {
  return { message: textOf(id, values), ...(advice === undefined ? {} : { advice: textOf(advice, adviceValues) }) };
}
