import { isAbsent, listOfNames, numeralCell } from '@tabularium/sdk';
import type { Cell, ColumnKind } from '@tabularium/sdk';
import type { PgColumn } from './catalogue/pgTable.ts';
import { rangeOf } from './catalogue/types.ts';
import { invalid } from './fault.ts';
import { pgCellText } from './names.ts';
import { arrayText } from './stored/arrayText.ts';
import { notANumber } from './stored/notANumber.ts';
import { refuseChanged } from './stored/refuseChanged.ts';

const PLAIN_NUMERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Behind `\x`, as the server writes bytes, which is never base64; or behind `0x`, which may be. */
const HEXADECIMAL = /^(?:\\x|0x(?=.))(?:[0-9a-f]{2})*$/i;
const LONGEST_SHOWN = 60;
/** A number of so many digits is exact in JavaScript. */
const SAFE_DIGITS = 15;

/** A value in the server's own form as a cell of a column of this kind; what doesn't fit the kind says what it is. */
export function toCell(value: string | null, kind: ColumnKind): Cell {
  if (value === null) return null;
  switch (kind) {
    case 'integer':
    case 'decimal':
      return PLAIN_NUMERAL.test(value) ? numeralCell(value) : ['text', value];
    case 'boolean':
      return value === 't';
    case 'bytes':
      return value.startsWith('\\x') ? Buffer.from(value.slice(2), 'hex').toString('base64') : ['text', value];
    case 'date':
      return DATE.test(value) ? value : ['text', value];
    case 'timestamp':
      return TIMESTAMP.test(value) && !value.endsWith(' BC') ? value : ['text', value];
    default:
      return value;
  }
}

/**
 * A cell in a form that the server reads.
 *
 * @throws DriverError `INVALID_INPUT` naming the column, for a value that would not be kept exactly
 */
export function toValue(cell: Cell, { kind, name: column, type }: Pick<PgColumn, 'kind' | 'name' | 'type'>): string | null {
  if (cell === null || isAbsent(cell)) return null;
  const text = textOf(cell, kind, type.cast, column);
  refuseNul(text, column);
  const shown = text.slice(0, LONGEST_SHOWN);
  // A whole number is looked at below.
  if (kind !== 'integer') refuseChanged(text, type.stored, column);
  if (type.sort === 'e' && !type.labels.includes(text))
    throw invalid(`“${shown}” isn't one of ${listOfNames(type.labels)}.`, column, {
      id: 'value.choice',
      values: { value: shown, labels: type.labels },
    });
  switch (kind) {
    case 'integer': {
      const trimmed = text.trim();
      if (!/^[+-]?\d{1,40}$/.test(trimmed)) throw notANumber(text, column, true);
      refuseBeyond(trimmed, type.oid, column);
      return trimmed;
    }
    case 'decimal':
      return text.trim();
    case 'boolean':
      if (/^(?:true|t|1)$/i.test(text)) return 'true';
      if (/^(?:false|f|0)$/i.test(text)) return 'false';
      throw invalid(`“${shown}” isn't true or false.`, column, { id: 'value.boolean', values: { value: shown } });
    case 'bytes':
      if (Array.isArray(cell) && cell[0] === 'text') return text;
      return bytesOf(text, column);
    case 'json':
      if (!isJson(text)) throw invalid("The value isn't valid JSON.", column, { id: 'value.json' });
      return text;
    case 'uuid':
      if (!/^\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i.test(text.trim()))
        throw invalid(`“${shown}” isn't a UUID.`, column, { id: 'value.uuid', values: { value: shown } });
      return text.trim();
    default:
      return text;
  }
}

/** A list of JSON is an array as well, as a program writes one; the members of a list of documents are documents. */
function textOf(cell: Cell, kind: ColumnKind, cast: string, column: string): string {
  const text = pgCellText(cell);
  if (!Array.isArray(cell) || cell[0] !== 'json') return text;
  // A list has no way to leave out its ends, and the server would read one, and an empty object, as something else than was meant.
  if (kind === 'range') throw invalid('A range is written as text, such as [1,5).', column, { id: 'value.range' });
  if (kind !== 'array' || DOCUMENTS.test(cast)) return text;
  const member = cast === 'bytea[]' ? (bytes: string) => clearBytesOf(bytes, column) : undefined;
  return arrayText(text, member) ?? text;
}

const DOCUMENTS = /^jsonb?\[\]$/;

/**
 * A cell that is to be stored, in a form that the server reads. Of one that was read, such as that of a key, {@link toValue} is enough.
 *
 * @throws DriverError `INVALID_INPUT` naming the column, also for bytes that are base64 and hexadecimal
 */
export function newValue(cell: Cell, column: Pick<PgColumn, 'kind' | 'name' | 'type'>): string | null {
  return column.kind === 'bytes' && typeof cell === 'string' ? clearBytesOf(cell, column.name) : toValue(cell, column);
}

/** @throws DriverError `INVALID_INPUT` naming the column */
function bytesOf(text: string, column: string): string {
  if (BASE64.test(text)) return `\\x${Buffer.from(text, 'base64').toString('hex')}`;
  if (HEXADECIMAL.test(text)) return `\\x${text.slice(2)}`;
  throw invalid('Bytes are written in base64, or in hexadecimal behind \\x.', column, { id: 'value.bytes' });
}

/** @throws DriverError as {@link bytesOf}, also for a text that is base64 and hexadecimal */
function clearBytesOf(text: string, column: string): string {
  if (!BASE64.test(text) || !HEXADECIMAL.test(text)) return bytesOf(text, column);
  const shown = text.slice(0, LONGEST_SHOWN);
  const [hex, base64] = [`\\x${shown.slice(2)}`, `\\x${Buffer.from(shown, 'base64').toString('hex')}`];
  throw invalid(`“${shown}” is base64 and hexadecimal. Write ${hex} for hexadecimal, or ${base64} for base64.`, column, {
    id: 'value.unclearBytes',
    values: { value: shown, hex, base64 },
  });
}

/** PostgreSQL stores no text with a zero character. @throws DriverError `INVALID_INPUT` */
function refuseNul(text: string, column: string): void {
  if (text.includes('\0')) throw invalid('PostgreSQL stores no text with a zero character.', column, { id: 'value.nul' });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function refuseBeyond(digits: string, oid: number, column: string): void {
  const range = rangeOf(oid);
  if (range === undefined) return;
  // Nearly all of them: exact as a number, which takes a fraction of the time.
  if (digits.length <= SAFE_DIGITS && Number(digits) >= Number(range.least) && Number(digits) <= Number(range.greatest)) return;
  const value = BigInt(digits.replace(/^\+/, ''));
  if (value < BigInt(range.least) || value > BigInt(range.greatest))
    throw invalid(`${digits} is beyond ${range.least} to ${range.greatest}.`, column, {
      id: 'value.beyond',
      values: { value: digits, least: range.least, greatest: range.greatest },
    });
}
