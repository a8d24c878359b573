import { OID, rangeOf } from '../catalogue/types.ts';
import { RawNumber } from './rawNumber.ts';

/** A type that a column of an import gets. */
export type ImportedType =
  'bigint' | 'numeric' | 'boolean' | 'date' | 'timestamp' | 'timestamp with time zone' | 'uuid' | 'jsonb' | 'text';

/** Digits before and behind the point that `numeric` has at least, whatever the exponent says. */
const MOST_EXPONENT = 10_000;
const MOST_DIGITS = 10_000;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
/** Six digits of a second are those that the server stores. */
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/;

/** The narrowest type that keeps a value of a row exactly; undefined for null, which says nothing. */
export function typeOfValue(value: unknown): ImportedType | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof RawNumber) return typeOfNumber(value.digits);
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return typeOfText(value);
  return 'jsonb';
}

/** One type for values of several. */
export function joinedType(types: ReadonlySet<ImportedType>): ImportedType {
  const [first, ...others] = types;
  if (first === undefined) return 'text';
  if (others.length === 0) return first;
  return [...types].every((type) => type === 'bigint' || type === 'numeric') ? 'numeric' : 'text';
}

function typeOfNumber(digits: string): ImportedType {
  const [, whole = '', , exponent = '0'] = /^-?(\d+)(\.\d+)?(?:[eE]([+-]?\d+))?$/.exec(digits) ?? [];
  if (digits.length > MOST_DIGITS || Math.abs(Number(exponent)) > MOST_EXPONENT) return 'text';
  if (digits.replace('-', '') !== whole) return 'numeric';
  const range = rangeOf(OID.int8);
  const value = BigInt(digits);
  return range !== undefined && value >= BigInt(range.least) && value <= BigInt(range.greatest) ? 'bigint' : 'numeric';
}

function typeOfText(text: string): ImportedType {
  if (UUID.test(text)) return 'uuid';
  const [, ...date] = DATE.exec(text) ?? [];
  if (isDay(date)) return 'date';
  const [, year, month, day, , zone] = MOMENT.exec(text) ?? [];
  if (!isDay([year, month, day])) return 'text';
  return zone === undefined ? 'timestamp' : 'timestamp with time zone';
}

/** Whether there is such a day; the server has no year 0. */
function isDay([year, month, day]: readonly (string | undefined)[]): boolean {
  if (year === undefined || month === undefined || day === undefined || year === '0000') return false;
  const days = new Date(Date.UTC(2_000, Number(month), 0)).getUTCDate();
  const leaps = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const last = month === '02' && !leaps ? 28 : days;
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last;
}
