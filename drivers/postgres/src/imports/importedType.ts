import { OID, rangeOf } from '../catalogue/types.ts';
import { RawNumber } from '../stored/exactJson.ts';

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

/** Of JSON; `vast` is a number that no type of numbers has. */
type JsonKind = 'number' | 'vast' | 'boolean' | 'text' | 'nested';

/** The types and kinds of the values of a column. */
export class SeenTypes {
  readonly #types = new Set<ImportedType>();
  readonly #kinds = new Set<JsonKind>();

  /** @returns whether it says something about the column: null doesn't */
  add(value: unknown): boolean {
    const type = typeOfValue(value);
    if (type === undefined) return false;
    this.#types.add(type);
    this.#kinds.add(kindOf(value, type));
    return true;
  }

  /** One type for all of them: that of JSON keeps values of unlike kinds apart, such as `1` and `"1"`, and has no number that `numeric` lacks. */
  joined(): ImportedType {
    const [first, ...others] = this.#types;
    if (first === undefined) return 'text';
    if (others.length === 0 && this.#kinds.size === 1) return first;
    if (this.#kinds.has('vast')) return 'text';
    if (this.#kinds.size > 1) return 'jsonb';
    return this.#kinds.has('number') ? 'numeric' : 'text';
  }
}

function kindOf(value: unknown, type: ImportedType): JsonKind {
  if (value instanceof RawNumber) return type === 'text' ? 'vast' : 'number';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : 'nested';
}

/**
 * The narrowest type that keeps a value of a row; undefined for null, which says nothing. Not each keeps how it is written: `jsonb` sorts members and
 * drops the first of two with one name, a moment with a zone is stored as the moment alone, and letters of a UUID become small ones.
 */
export function typeOfValue(value: unknown): ImportedType | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof RawNumber) return typeOfNumber(value.digits);
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return typeOfText(value);
  return 'jsonb';
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
