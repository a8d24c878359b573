import { invalid } from '../fault.ts';

/** Characters of a value in a message. */
const LONGEST_SHOWN = 60;
const OTHER_BASE = /^([+-]?)(0[xob][\da-f]+)$/i;
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The refusal of a text that isn't a number. For the spellings that PostgreSQL reads since its version 16, `0x10` and `1_000`, with the number as every
 * version reads it.
 */
export function notANumber(text: string, column: string, isWhole = false): Error {
  const shown = text.slice(0, LONGEST_SHOWN);
  const digits = plainNumeral(text.trim());
  if (digits !== undefined && (!isWhole || /^[+-]?\d+$/.test(digits)))
    return invalid(`“${shown}” isn't written in decimal digits alone. Write ${digits}.`, column, {
      id: 'value.plainNumber',
      values: { value: shown, digits },
    });
  return isWhole
    ? invalid(`“${shown}” isn't a whole number.`, column, { id: 'value.whole', values: { value: shown } })
    : invalid(`“${shown}” isn't a number.`, column, { id: 'value.number', values: { value: shown } });
}

function plainNumeral(text: string): string | undefined {
  if (text.length > LONGEST_SHOWN) return undefined;
  // An underscore is between two digits, or behind the letter of a base.
  const digits = text.replaceAll(/(?<=[\da-f]|0[xob])_(?=[\da-f])/gi, '');
  const [, sign = '', number] = OTHER_BASE.exec(digits) ?? [];
  if (number !== undefined) return wholeNumber(sign, number);
  return digits !== text && PLAIN.test(digits) ? digits : undefined;
}

function wholeNumber(sign: string, digits: string): string | undefined {
  try {
    return `${sign === '-' ? '-' : ''}${BigInt(digits)}`;
  } catch {
    return undefined;
  }
}
