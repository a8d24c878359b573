import { wholeStart } from '@tabularium/sdk';
import type { ImportFieldType } from '../../common/imports.ts';

/** A value that doesn't fit. */
export class UnfitValue extends Error {
  override readonly name = 'UnfitValue';
}

const INTEGER = /^([+-]?)(\d+)$/;
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d{0,30})$/;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;
/** Digits behind zeros or a plus sign. */
const PADDED = /^(?:\+\d|-?0\d)/;
const TRUE: ReadonlySet<string> = new Set(['true', '1', 'yes']);
const FALSE: ReadonlySet<string> = new Set(['false', '0', 'no']);
/** Characters of a value that a message shows. */
const SHOWN = 60;
/** Characters. PostgreSQL's `numeric` has up to 147,455 digits; a longer text isn't looked at. */
const LONGEST_NUMBER = 200_000;

/**
 * The JSON of a text, by the type that a person chose. Numbers keep their digits.
 *
 * @param specialValues - what the column stores besides numbers, such as `NaN`: taken in letters of either case, and sent as a text
 * @throws UnfitValue
 */
export function convertText(text: string, type: ImportFieldType, specialValues: readonly string[] = []): string {
  if (type === 'integer' || type === 'decimal') {
    const special = specialValues.find((value) => value.toLowerCase() === text.trim().toLowerCase());
    if (special !== undefined) return JSON.stringify(special);
  }
  switch (type) {
    case 'text':
      return JSON.stringify(text);
    case 'integer':
      return integer(text);
    case 'decimal':
      return decimal(text);
    case 'boolean':
      return truth(text);
    case 'json':
      return json(text);
    case 'list':
      return list(text);
  }
}

/**
 * Refuses a text that a number would not give back, such as a code with zeros in front. Of another type than a number it takes any.
 *
 * @throws UnfitValue
 */
export function requirePlainNumber(text: string, type: ImportFieldType): void {
  if ((type !== 'integer' && type !== 'decimal') || !PADDED.test(text.trim())) return;
  throw new UnfitValue(
    `“${shown(text)}” would lose what is in front of the number. Choose text for the column, or leave that out.`,
  );
}

function shown(text: string): string {
  return text.length <= SHOWN ? text : `${wholeStart(text, SHOWN)}…`;
}

function integer(text: string): string {
  // Nearly all of them: nothing is to be changed.
  if (PLAIN_INTEGER.test(text)) return text;
  const [, sign, typed] = INTEGER.exec(text.length > LONGEST_NUMBER ? '' : text.trim()) ?? [];
  const digits = typed?.replace(/^0+(?=\d)/, '');
  if (digits === undefined) throw new UnfitValue(`“${shown(text)}” isn't a whole number.`);
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    DECIMAL.exec(text.length > LONGEST_NUMBER ? '' : text.trim()) ?? [];
  if (whole === '' && fraction === '') throw new UnfitValue(`“${shown(text)}” isn't a number. Use a dot, as in 12.5.`);
  const digits = whole === '' ? '0' : whole.replace(/^0+(?=\d)/, '');
  return `${sign === '-' ? '-' : ''}${digits}${fraction === '' ? '' : `.${fraction}`}${exponent}`;
}

function truth(text: string): string {
  const word = text.trim().toLowerCase();
  if (TRUE.has(word)) return 'true';
  if (FALSE.has(word)) return 'false';
  throw new UnfitValue(`“${shown(text)}” is neither true nor false.`);
}

function json(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    throw new UnfitValue(`“${shown(text)}” isn't JSON.`);
  }
  return text.replaceAll(/[\r\n]/g, ' ');
}

function list(text: string): string {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) return json(trimmed);
  return JSON.stringify(trimmed === '' ? [] : trimmed.split(',').map((entry) => entry.trim()));
}
