import { isAbsent, listOfNames, numeralCell } from '@tabularium/sdk';
import type { Cell, ColumnKind } from '@tabularium/sdk';
import type { PgColumn } from './catalogue/pgTable.ts';
import { OID, rangeOf } from './catalogue/types.ts';
import type { PgType } from './catalogue/types.ts';
import { invalid } from './fault.ts';
import { losesZone } from './losesZone.ts';
import { pgCellText } from './names.ts';

const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const PLAIN_NUMERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Numbers that are none: `numeric` and floats have them. */
const NO_NUMERAL = /^(?:nan|[+-]?inf(?:inity)?)$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const LONGEST_SHOWN = 60;

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
  const text = pgCellText(cell);
  refuseNul(text, column);
  const shown = text.slice(0, LONGEST_SHOWN);
  refuseLostZone(text, { name: column, type });
  if (!isWhole(text, type))
    throw invalid(`The column can't store all of “${shown}”: it would be rounded or cut.`, column, {
      id: 'value.cut',
      values: { value: shown },
    });
  if (type.sort === 'e' && !type.labels.includes(text))
    throw invalid(`“${shown}” isn't one of ${listOfNames(type.labels)}.`, column, {
      id: 'value.choice',
      values: { value: shown, labels: type.labels },
    });
  switch (kind) {
    case 'integer': {
      const trimmed = text.trim();
      if (!/^[+-]?\d{1,40}$/.test(trimmed))
        throw invalid(`“${shown}” isn't a whole number.`, column, { id: 'value.whole', values: { value: shown } });
      refuseBeyond(trimmed, type.oid, column);
      return trimmed;
    }
    case 'decimal': {
      const trimmed = text.trim();
      if (!NUMERAL.test(trimmed) && !NO_NUMERAL.test(trimmed))
        throw invalid(`“${shown}” isn't a number.`, column, { id: 'value.number', values: { value: shown } });
      if (!isExact(trimmed, type))
        throw invalid(`The column can't store every digit of ${shown}.`, column, {
          id: 'value.digits',
          values: { value: shown },
        });
      return trimmed;
    }
    case 'boolean':
      if (/^(?:true|t|1)$/i.test(text)) return 'true';
      if (/^(?:false|f|0)$/i.test(text)) return 'false';
      throw invalid(`“${shown}” isn't true or false.`, column, { id: 'value.boolean', values: { value: shown } });
    case 'bytes':
      if (Array.isArray(cell) && cell[0] === 'text') return text;
      if (!BASE64.test(text)) throw invalid('Bytes are written in base64.', column, { id: 'value.bytes' });
      return `\\x${Buffer.from(text, 'base64').toString('hex')}`;
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

/** @throws DriverError `INVALID_INPUT` for a moment whose zone the column, or a list in it, would not store */
export function refuseLostZone(text: string, { name, type }: Pick<PgColumn, 'name' | 'type'>): void {
  if (!losesZone(text, type)) return;
  const shown = text.slice(0, LONGEST_SHOWN);
  throw invalid(`“${shown}” would lose its zone: the column stores none.`, name, { id: 'value.zone', values: { value: shown } });
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
  const value = BigInt(digits.replace(/^\+/, ''));
  if (value < BigInt(range.least) || value > BigInt(range.greatest))
    throw invalid(`${digits} is beyond ${range.least} to ${range.greatest}.`, column, {
      id: 'value.beyond',
      values: { value: digits, least: range.least, greatest: range.greatest },
    });
}

/** Whether a column keeps a text as it is, where the server would round it or cut it off without an error. Numbers are looked at by {@link isExact}. */
function isWhole(text: string, { oid, element, scale, secondDigits }: PgType): boolean {
  switch (oid) {
    case OID.char:
      // Also as the server writes a byte beyond ASCII.
      return Buffer.byteLength(text) <= 1 || /^\\[0-3][0-7]{2}$/.test(text);
    case OID.name:
      return Buffer.byteLength(text) <= MOST_BYTES_OF_NAME;
    case OID.date:
      return !/\d:\d/.test(text) || /[ T]00:00(?::00(?:\.0+)?)?(?![\d:.])/.test(text);
    case OID.numeric:
    case OID.float4:
    case OID.float8:
      return true;
    default:
  }
  if (element === OID.numeric || element === OID.float4 || element === OID.float8)
    return elementsOf(text).every((one) => !NUMERAL.test(one) || isExact(one, { oid: element, scale }));
  if (!TIMES.has(element ?? oid)) return true;
  const fractions = (element ?? oid) === OID.interval ? /\.(\d+)/g : /:\d\d\.(\d+)/g;
  return [...text.matchAll(fractions)].every(([, digits = '']) => digits.replace(/(?<!0)0+$/, '').length <= secondDigits);
}

/** The elements of an array as the server writes it, of a type whose values need no quotes; bounds are left out. */
function elementsOf(text: string): readonly string[] {
  return text
    .replace(/^[^{]*=/, '')
    .split(/[{},"\s]+/)
    .filter((one) => one !== '');
}

/** The server cuts longer names off. */
const MOST_BYTES_OF_NAME = 63;
const TIMES: ReadonlySet<number> = new Set([OID.time, OID.timetz, OID.timestamp, OID.timestamptz, OID.interval]);

/** Whether a column keeps a number digit for digit: the server would round it without an error. */
export function isExact(text: string, { oid, scale }: Pick<PgType, 'oid' | 'scale'>): boolean {
  if (NO_NUMERAL.test(text)) return true;
  const digits = significant(text);
  if (oid === OID.numeric) return scale === undefined || digits === '0' || -exponentOf(digits) <= scale;
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  if (oid === OID.float8) return significant(String(value)) === digits;
  const single = Math.fround(value);
  return Number.isFinite(single) && [6, 7, 8, 9].some((precision) => significant(single.toPrecision(precision)) === digits);
}

function exponentOf(digits: string): number {
  return Number(/e(-?\d+)$/.exec(digits)?.[1] ?? 0);
}

/** The digits that count, and the place of the point. */
function significant(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = all.replace(/(?<!0)0+$/, '');
  if (digits === '') return '0';
  return `${sign === '-' ? '-' : ''}${digits}e${Number(exponent) - fraction.length + (all.length - digits.length)}`;
}
