import { OID, rangeOf } from '../catalogue/types.ts';
import { invalid } from '../fault.ts';
import { RawNumber } from './exactJson.ts';
import { keepsInterval } from './keepsInterval.ts';
import { NO_NUMERAL, NUMERAL, keepsMoney, keepsNumber } from './keepsNumber.ts';
import { keepsPositions } from './keepsPositions.ts';
import { arrayElements, compositeFields, rangeBounds } from './literals.ts';
import { losesZone } from './losesZone.ts';
import { namesDay } from './namesDay.ts';
import { notANumber } from './notANumber.ts';
import { repeatedKey } from './repeatedKey.ts';
import { repeatsMember } from './repeatsMember.ts';
import { lengthModifier } from './storedType.ts';
import type { StoredType } from './storedType.ts';

/** Characters of a value in a message. */
const LONGEST_SHOWN = 60;
/** The server cuts longer names off. */
const MOST_BYTES_OF_NAME = 63;
const MOST_SECOND_DIGITS = 6;
/** A second with a fraction, also of a time without colons. */
const SECOND_FRACTION = /(?::\d\d|(?:^|[T ])\d{6})\.(\d+)/gi;
const TIME_IN_DATE = /\d:\d|T\d{4}/i;
const MIDNIGHT = /[ T]00:?00(?::?00(?:\.0+)?)?(?![\d:.])/;
const GEOMETRIC: ReadonlySet<number> = new Set([...[OID.point, OID.lseg, OID.path, OID.box, OID.polygon, OID.line, OID.circle]]);

/**
 * Refuses a value that the server would store otherwise than it is written, without an error: rounded, cut off or without its zone. Of arrays, ranges
 * and composite values each part is looked at. Another way to write the same value is taken, such as 1.50 for 1.5.
 *
 * @param text - as the server's reader of the type takes it
 * @throws DriverError `INVALID_INPUT` naming the column
 */
export function refuseChanged(text: string, type: StoredType, column: string): void {
  if (!mayChange(type)) return;
  const { element, bound, attributes } = type;
  if (element !== undefined) {
    // The server finds the fault of a text that can't be read.
    for (const one of arrayElements(text, type.delimiter ?? ',') ?? []) refuseChanged(one, element, column);
  } else if (bound !== undefined) for (const one of rangeBounds(text) ?? []) refuseChanged(one, bound, column);
  else if (attributes !== undefined) {
    for (const [place, one] of (compositeFields(text) ?? []).entries()) {
      const attribute = attributes[place];
      if (one !== undefined && attribute !== undefined) refuseChanged(one, attribute.type, column);
    }
  } else refuseChangedScalar(text, type, column);
}

/**
 * The same for a value of JSON, as the server makes lists and objects into arrays and composite values.
 *
 * @param value - with its numbers as {@link RawNumber}
 * @throws DriverError `INVALID_INPUT` naming the column
 */
export function refuseChangedJson(value: unknown, type: StoredType, column: string): void {
  // A value that is JSON already isn't read as a text again.
  if (value === null || type.oid === OID.jsonb) return;
  const { element, attributes } = type;
  if (value instanceof RawNumber) refuseChanged(value.digits, type, column);
  else if (typeof value === 'string' || typeof value === 'boolean') refuseChanged(String(value), type, column);
  else if (Array.isArray(value)) {
    for (const one of value as readonly unknown[]) refuseChangedJson(one, Array.isArray(one) ? type : (element ?? type), column);
  } else if (attributes !== undefined) {
    for (const [name, member] of Object.entries(value as object)) {
      const attribute = attributes.find((one) => one.name === name);
      if (attribute === undefined)
        throw invalid(`The type of the column has no “${shownOf(name)}”, so the server would leave it out.`, column, {
          id: 'value.member',
          values: { member: shownOf(name) },
        });
      refuseChangedJson(member, attribute.type, column);
    }
  }
}

const known = new WeakMap<StoredType, boolean>();

/** Whether there are values of a type that the server changes. Arrays of others need not be read. */
function mayChange(type: StoredType): boolean {
  const found = known.get(type);
  if (found !== undefined) return found;
  const { element, bound, attributes, oid } = type;
  const parts = [element, bound, ...(attributes ?? []).map((attribute) => attribute.type)].filter((part) => part !== undefined);
  const answer =
    parts.length > 0 ? parts.some(mayChange) : type.isHstore === true || CHANGING.has(oid) || lengthModifier(type) !== undefined;
  known.set(type, answer);
  return answer;
}

const CHANGING: ReadonlySet<number> = new Set([
  ...[OID.char, OID.name, OID.oid, OID.numeric, OID.float4, OID.float8, OID.money, OID.interval],
  ...[OID.date, OID.time, OID.timetz, OID.timestamp, OID.timestamptz, OID.tsvector, OID.jsonb],
  ...GEOMETRIC,
]);

function refuseChangedScalar(text: string, type: StoredType, column: string): void {
  const { oid } = type;
  const shown = shownOf(text);
  if (losesZone(text, oid))
    throw invalid(`“${shown}” would lose its zone: the column stores none.`, column, {
      id: 'value.zone',
      values: { value: shown },
    });
  if (type.isHstore === true) {
    const key = repeatedKey(text);
    if (key === undefined) return;
    throw invalid(`“${shownOf(key)}” is in the value twice, and the column stores one of the two.`, column, {
      id: 'value.repeated',
      values: { member: shownOf(key) },
    });
  }
  switch (oid) {
    case OID.varchar:
    case OID.bpchar: {
      const most = lengthModifier(type);
      if (most === undefined || text.length <= most) return;
      const length = characters(text);
      if (length > most)
        throw invalid(`The text has ${length} characters, blanks at its end included, and the column takes ${most}.`, column, {
          id: 'value.long',
          values: { count: length, most },
        });
      return;
    }
    case OID.numeric:
    case OID.float4:
    case OID.float8:
      refuseInexact(text.trim(), type, column);
      return;
    case OID.jsonb:
      if (repeatsMember(text))
        throw invalid('An object in the value has a member twice, and the column stores one of the two.', column, {
          id: 'value.repeatedMember',
        });
      return;
    case OID.money:
      if (!keepsMoney(text, type.sample ?? '')) throw inexact(shown, column);
      return;
    case OID.oid: {
      const range = rangeOf(oid);
      // The server takes -1 for 4294967295.
      if (range !== undefined && text.trim().startsWith('-'))
        throw invalid(`${shown} is beyond ${range.least} to ${range.greatest}.`, column, {
          id: 'value.beyond',
          values: { value: shown, least: range.least, greatest: range.greatest },
        });
      return;
    }
    default:
      if (GEOMETRIC.has(oid)) {
        const numerals = text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? [];
        for (const one of numerals) if (!keepsNumber(one, { oid: OID.float8, modifier: -1 })) throw inexact(shownOf(one), column);
      } else if (!isWhole(text, type))
        throw invalid(`The column can't store all of “${shown}”: it would be rounded or cut.`, column, {
          id: 'value.cut',
          values: { value: shown },
        });
  }
}

function refuseInexact(text: string, type: StoredType, column: string): void {
  if (!NUMERAL.test(text) && !NO_NUMERAL.test(text)) throw notANumber(text, column);
  if (!keepsNumber(text, type)) throw inexact(shownOf(text), column);
}

function inexact(shown: string, column: string): Error {
  return invalid(`The column can't store every digit of ${shown}.`, column, { id: 'value.digits', values: { value: shown } });
}

function isWhole(text: string, { oid, modifier }: StoredType): boolean {
  switch (oid) {
    case OID.char:
      // Also as the server writes a byte beyond ASCII.
      return Buffer.byteLength(text) <= 1 || /^\\[0-3][0-7]{2}$/.test(text);
    case OID.name:
      return Buffer.byteLength(text) <= MOST_BYTES_OF_NAME;
    case OID.date:
      return !TIME_IN_DATE.test(text) || MIDNIGHT.test(text);
    case OID.interval:
      return keepsInterval(text, modifier);
    case OID.tsvector:
      return keepsPositions(text);
    case OID.time:
    case OID.timetz:
      return !namesDay(text) && hasRoomForSeconds(text, modifier);
    case OID.timestamp:
    case OID.timestamptz:
      return hasRoomForSeconds(text, modifier);
    default:
      return true;
  }
}

function hasRoomForSeconds(text: string, modifier: number): boolean {
  const most = modifier < 0 ? MOST_SECOND_DIGITS : modifier;
  return [...text.matchAll(SECOND_FRACTION)].every(([, digits = '']) => digits.replace(/(?<!0)0+$/, '').length <= most);
}

function shownOf(text: string): string {
  return text.slice(0, LONGEST_SHOWN);
}

/** As the server counts them: a pair of surrogates is one. */
function characters(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at += 1) if ((text.codePointAt(at) ?? 0) > 0xff_ff) pairs += 1;
  return text.length - pairs;
}
