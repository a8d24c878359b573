import { DriverError } from '@tabularium/sdk';
import type { DriverTexts } from '@tabularium/sdk';
import { INTEGER_RANGES } from './fieldTypes.ts';
import { faultTexts } from './faultTexts.ts';

/**
 * Values as the filter syntax takes them. There is no escape for anything, so a value that the server would read as something else than
 * itself is refused here, and nothing is sent. What is checked was measured on servers or read in the server's parser:
 *
 * - a backtick ends the quotation: ``sku:=`zzz` || year:>0`` matches everything;
 * - a backslash before the closing backtick escapes it inside a list;
 * - a colon before a bracket opens a place, inside a quotation too: ``title:=`a:[b] || pages:>0` `` ends after the `]` before 29.0, and the
 *   rest is read as more filter; `:(` swallows what follows up to the next `)`;
 * - in a list the quotation is taken off before a `*` at the end is looked for, which then means "begins with";
 * - the id `*` means every document, and blanks around an id are taken off.
 */

function refuse(column: string, message: string, advice: string, texts: DriverTexts): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { field: column, advice, texts } });
}

function quoted(column: string, value: string): string {
  if (value.trim() === '')
    throw refuse(
      column,
      `The filter on “${column}” has no value, and the server cannot look for an empty one.`,
      'Enter a value.',
      faultTexts('fault.filterEmpty', { column }, 'fault.enterValue'),
    );
  if (value.includes('`')) {
    throw refuse(
      column,
      `The value for “${column}” holds a backtick, which the server cannot be sent inside a filter.`,
      'Filter by a part of the value without it.',
      faultTexts('fault.filterBacktick', { column }, 'fault.filterBacktick.advice'),
    );
  }
  if (/: *[([]/.test(value)) {
    throw refuse(
      column,
      `The value for “${column}” holds a colon before a bracket, which the server reads as a place, quoted or not.`,
      column === 'id' ? 'Find the document by another field.' : 'Leave the colon away; text is compared without punctuation.',
      faultTexts('fault.filterColon', { column }, 'fault.filterColon.advice', { column: column === 'id' ? 'id' : 'other' }),
    );
  }
  if (value.endsWith('\\')) {
    throw refuse(
      column,
      `The value for “${column}” ends in a backslash, which the server would read as an escape.`,
      'Leave the backslash away; text is compared without punctuation.',
      faultTexts('fault.filterBackslash', { column }, 'fault.filterBackslash.advice'),
    );
  }
  return `\`${value}\``;
}

export function textLiteral(column: string, value: string): string {
  return quoted(column, value);
}

export function textListLiteral(column: string, value: string): string {
  if (value.trimEnd().endsWith('*')) {
    throw refuse(
      column,
      `The value “${value}” for “${column}” ends in *, which in a list would mean “begins with”.`,
      'Leave the * away, or use “starts with”.',
      faultTexts('fault.filterStar', { value, column }, 'fault.filterStar.advice'),
    );
  }
  return quoted(column, value);
}

export function idLiteral(value: string): string {
  if (value.trim() === '*')
    throw refuse(
      'id',
      'The id * would mean every document to the server.',
      'Leave the filter on id away to see all documents.',
      faultTexts('fault.filterIdStar', {}, 'fault.filterIdStar.advice'),
    );
  if (value.trim() !== value && value.trim() !== '') {
    throw refuse(
      'id',
      'The id begins or ends with a blank, which the server takes off.',
      'Remove the blanks, or find the document by another field.',
      faultTexts('fault.filterIdBlank', {}, 'fault.filterIdBlank.advice'),
    );
  }
  if (value.endsWith('\\')) {
    throw refuse(
      'id',
      'The id ends in a backslash, which the server would read as an escape.',
      'Open the document from the console: GET /collections/…/documents/….',
      faultTexts('fault.filterIdBackslash', {}, 'fault.filterIdBackslash.advice'),
    );
  }
  return quoted('id', value);
}

const INTEGER = /^[+-]?\d+$/;

export function integerLiteral(column: string, value: string, type: 'int32' | 'int64'): string {
  const text = value.trim();
  if (!INTEGER.test(text))
    throw refuse(
      column,
      `“${value}” isn't a whole number, and “${column}” holds whole numbers.`,
      'Enter digits only, such as 42 or -7.',
      faultTexts('fault.filterWhole', { value, column }, 'fault.filterWhole.advice'),
    );
  const number = BigInt(text.replace(/^\+/, ''));
  const { low, high } = INTEGER_RANGES[type];
  if (number < low || number > high) {
    throw refuse(
      column,
      `${text} is beyond what an ${type} can hold, so “${column}” cannot have it.`,
      `Enter a number from ${low} to ${high}.`,
      faultTexts('fault.filterRange', { value: text, type, column }, 'fault.filterRange.advice', {
        low: String(low),
        high: String(high),
      }),
    );
  }
  return String(number);
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

export function decimalLiteral(column: string, value: string): string {
  const text = value.trim();
  const number = Number(text);
  if (!DECIMAL.test(text) || !Number.isFinite(number)) {
    throw refuse(
      column,
      `“${value}” isn't a number, and “${column}” holds numbers.`,
      'Enter a number with a point, such as 12.5.',
      faultTexts('fault.filterNumber', { value, column }, 'fault.filterNumber.advice'),
    );
  }
  // Written out: the server's parser is not asked to read what it may not know, such as `+.5`.
  return String(number);
}

export function booleanLiteral(column: string, value: string): string {
  const text = value.trim().toLowerCase();
  if (text !== 'true' && text !== 'false')
    throw refuse(
      column,
      `“${value}” isn't true or false, and “${column}” holds booleans.`,
      'Enter true or false.',
      faultTexts('fault.filterBool', { value, column }, 'fault.filterBool.advice'),
    );
  return text;
}
