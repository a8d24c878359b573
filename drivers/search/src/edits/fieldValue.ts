import { DriverError, wholeStart } from '@tabularium/sdk';
import type { Cell, DriverText } from '@tabularium/sdk';
import { INTEGER_RANGES, baseType, isArrayType } from '../fieldTypes.ts';
import type { SchemaField } from '../schema.ts';
import type { ExactValue } from './exactValue.ts';
import { digitsOf, exactNumber, isExactObject, keepsDigits, keepsMeaning, parseExactly } from './exactValue.ts';

/** Characters of a name or value in a translation. */
const LONGEST_VALUE = 400;

/** A change that the server is not asked for. @param text - its translation, which always has the column */
export function refusedValue(column: string, message: string, { id, values }: DriverText): DriverError {
  const short = Object.entries({ column, ...values }).map(([name, value]) => [name, String(value).slice(0, LONGEST_VALUE)]);
  const text: DriverText = { id, values: Object.fromEntries(short) as Record<string, string> };
  return new DriverError('INVALID_INPUT', message, { details: { field: column, texts: { message: text } } });
}

/**
 * The JSON value of a cell, typed by its field. The server would store 3000000000 in an `int32`, and refuse the string "12" there, so
 * whatever does not fit is refused here, with the column.
 */
export function fieldValue(cell: Cell, field: SchemaField): ExactValue {
  const value = typedValue(cell, field);
  const lost =
    digitsOf(value) === undefined ? lostNumber(value) : keepsDigits(digitsOf(value) ?? '') ? undefined : digitsOf(value);
  if (lost === undefined) return value;
  throw refusedValue(
    field.name,
    `The server can't store ${lost.slice(0, 60)} in “${field.name}” with every digit: it stores such numbers as doubles.`,
    { id: 'value.digits', values: { value: lost.slice(0, 60) } },
  );
}

/** The first number in a list or an object that the server would store as another. */
function lostNumber(value: ExactValue): string | undefined {
  const digits = digitsOf(value);
  if (digits !== undefined) return keepsMeaning(digits) ? undefined : digits;
  const members: readonly ExactValue[] = Array.isArray(value) ? value : isExactObject(value) ? Object.values(value) : [];
  for (const member of members) {
    const lost = lostNumber(member);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

function typedValue(cell: Cell, field: SchemaField): ExactValue {
  const { name, type } = field;
  if (isArrayType(type)) return list(parsed(cell, name, `a list, such as ${exampleOf(type)}`, exampleOf(type)), field);
  switch (type) {
    case 'int32':
    case 'int64':
      return integer(cell, name, type);
    case 'float':
      return decimal(cell, name);
    case 'bool':
      return truth(cell, name);
    case 'string':
    case 'image':
      return text(cell, name, type);
    case 'geopoint':
      return place(placeOf(cell, name), name, 'a place');
    case 'geopolygon':
      return numbers(parsed(cell, name, 'a list of latitudes and longitudes', '[48.85, 2.35, 48.86, 2.36, 48.87, 2.35]'), name);
    case 'object':
      return object(parsed(cell, name, 'a JSON object', '{"a": 1}'), name, 'a JSON object');
    default:
      return undeclared(cell);
  }
}

function shown(cell: ExactValue): string {
  const word: unknown = isTagged(cell) ? cell[1] : cell;
  const whole = typeof word === 'string' ? word : JSON.stringify(word);
  return whole.length > 80 ? `${wholeStart(whole, 80)}…` : whole;
}

/** A tagged cell that holds a text; a list of two texts looks the same, and is shown the same. */
function isTagged(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

/** The entered value, without its tag. */
function bare(cell: Cell): null | boolean | number | string | undefined {
  return Array.isArray(cell) ? (cell as readonly string[])[1] : (cell as null | boolean | number | string);
}

function text(cell: Cell, column: string, type: string): string {
  const value = Array.isArray(cell) && cell[0] !== 'text' ? undefined : bare(cell);
  if (typeof value !== 'string')
    throw refusedValue(column, `Not a ${type}: ${shown(cell)}. “${column}” holds text.`, {
      id: 'value.text',
      values: { value: shown(cell) },
    });
  if (!value.isWellFormed())
    throw refusedValue(
      column,
      `The value for “${column}” has half a character (an unpaired surrogate), which JSON can't represent.`,
      { id: 'value.halfCharacter' },
    );
  return value;
}

function integer(cell: Cell, column: string, type: 'int32' | 'int64'): ExactValue {
  const { low, high } = INTEGER_RANGES[type];
  const holds = `“${column}” holds whole numbers from ${low} to ${high}.`;
  const value = bare(cell);
  const digits = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (!/^[+-]?\d+$/.test(digits))
    throw refusedValue(column, `Not an ${type}: ${shown(cell)}. ${holds}`, wholeNumbers(shown(cell), type));
  return exactNumber(inRange(BigInt(digits.replace(/^\+/, '')), column, type));
}

function inRange(number: bigint, column: string, type: 'int32' | 'int64'): string {
  const { low, high } = INTEGER_RANGES[type];
  if (number >= low && number <= high) return String(number);
  throw refusedValue(
    column,
    `Not an ${type}: ${number}. “${column}” holds whole numbers from ${low} to ${high}.`,
    wholeNumbers(String(number), type),
  );
}

function wholeNumbers(value: string, type: 'int32' | 'int64'): DriverText {
  const { low, high } = INTEGER_RANGES[type];
  return { id: 'value.whole', values: { value, low: String(low), high: String(high) } };
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;

/** As it was typed, in the form that JSON has: `.5` becomes `0.5`, `+7` becomes `7`. */
function decimal(cell: Cell, column: string): ExactValue {
  const value = bare(cell);
  const typed = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  const [, sign = '', whole = '', fraction = '', exponent = ''] = DECIMAL.exec(typed) ?? [];
  if ((whole === '' && fraction === '') || !Number.isFinite(Number(typed))) {
    throw refusedValue(column, `Not a float: ${shown(cell)}. “${column}” holds numbers, such as 12.5.`, {
      id: 'value.float',
      values: { value: shown(cell) },
    });
  }
  const digits = (whole === '' ? '0' : whole).replace(/^0+(?=\d)/, '');
  // The server has one zero; the review shows it as it will be.
  const isNegative = sign === '-' && /[1-9]/.test(`${whole}${fraction}`);
  return exactNumber(`${isNegative ? '-' : ''}${digits}${fraction === '' ? '' : `.${fraction}`}${exponent}`);
}

function truth(cell: Cell, column: string): boolean {
  const value = bare(cell);
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'true' || word === 'false') return word === 'true';
  throw refusedValue(column, `Not a bool: ${shown(cell)}. “${column}” holds true or false.`, {
    id: 'value.bool',
    values: { value: shown(cell) },
  });
}

/** A JSON text that was entered. */
function parsed(cell: Cell, column: string, wanted: string, example: string): ExactValue {
  const value = bare(cell);
  try {
    if (typeof value === 'string') return parseExactly(value);
  } catch {
    // Said below.
  }
  throw refusedValue(column, `Not JSON: ${shown(cell)}. “${column}” holds ${wanted}.`, {
    id: 'value.json',
    values: { value: shown(cell), example },
  });
}

function exampleOf(type: string): string {
  switch (baseType(type)) {
    case 'int32':
    case 'int64':
      return '[1, 2]';
    case 'float':
      return '[0.5, 2]';
    case 'bool':
      return '[true, false]';
    case 'geopoint':
      return '[[48.85, 2.35]]';
    case 'object':
      return '[{"a": 1}]';
    default:
      return '["one", "two"]';
  }
}

function list(value: ExactValue, field: SchemaField): ExactValue[] {
  const { name, type, dimensions } = field;
  if (!Array.isArray(value))
    throw refusedValue(name, `Not a list: ${shown(value)}. “${name}” holds a list, such as ${exampleOf(type)}.`, {
      id: 'value.list',
      values: { value: shown(value), example: exampleOf(type) },
    });
  if (dimensions > 0 && value.length !== dimensions) {
    throw refusedValue(name, `“${name}” holds vectors of ${dimensions} numbers, and this one has ${value.length}.`, {
      id: 'value.vector',
      values: { dimensions, found: value.length },
    });
  }
  return value.map((element: ExactValue, index) => listElement(element, baseType(type), name, index + 1));
}

function listElement(element: ExactValue, type: string, column: string, position: number): ExactValue {
  const wrong = (): DriverError =>
    refusedValue(
      column,
      `Element ${position} of “${column}” is not ${type.startsWith('int') || type === 'object' ? 'an' : 'a'} ${type}: ${shown(element)}.`,
      { id: 'value.element', values: { position, type, value: shown(element) } },
    );
  const digits = digitsOf(element);
  switch (type) {
    case 'int32':
    case 'int64':
      if (digits === undefined || !/^-?\d+$/.test(digits)) throw wrong();
      return exactNumber(inRange(BigInt(digits), column, type));
    case 'float':
      if (digits === undefined) throw wrong();
      return element;
    case 'bool':
      if (typeof element !== 'boolean') throw wrong();
      return element;
    case 'string':
      if (typeof element !== 'string') throw wrong();
      return element;
    case 'geopoint':
      return place(element, column, `element ${position} a place`);
    case 'object':
      return object(element, column, `objects, and element ${position} is none`);
    default:
      return element;
  }
}

function object(value: ExactValue, column: string, wanted: string): ExactValue {
  if (!isExactObject(value))
    throw refusedValue(column, `Not an object: ${shown(value)}. “${column}” holds ${wanted}.`, {
      id: 'value.object',
      values: { value: shown(value) },
    });
  return value;
}

function numbers(value: ExactValue, column: string): ExactValue {
  if (!Array.isArray(value) || value.some((item) => digitsOf(item) === undefined)) {
    throw refusedValue(column, `Not a list of numbers: ${shown(value)}. “${column}” holds latitudes and longitudes by turns.`, {
      id: 'value.area',
      values: { value: shown(value) },
    });
  }
  return value;
}

/** Two numbers, with or without brackets. */
function placeOf(cell: Cell, column: string): ExactValue {
  const value = bare(cell);
  const typed = typeof value === 'string' ? value.trim() : '';
  return parsed(typed.startsWith('[') ? cell : ['json', `[${typed}]`], column, 'a place, such as [48.85, 2.35]', '[48.85, 2.35]');
}

function place(value: ExactValue, column: string, what: string): ExactValue {
  const [latitude, longitude] =
    Array.isArray(value) && value.length === 2 ? value.map((one) => Number(digitsOf(one) ?? NaN)) : [];
  const inside = (degrees: number | undefined, most: number): boolean => degrees !== undefined && Math.abs(degrees) <= most;
  if (inside(latitude, 90) && inside(longitude, 180)) return value;
  throw refusedValue(
    column,
    `Not ${what}: ${shown(value)}. Write latitude (-90 to 90) and longitude (-180 to 180), such as [48.85, 2.35].`,
    { id: 'value.place', values: { value: shown(value) } },
  );
}

/** The server has not decided on the type yet: what was entered says itself what it is. */
function undeclared(cell: Cell): ExactValue {
  if (!Array.isArray(cell)) return typeof cell === 'number' ? exactNumber(String(cell)) : cell;
  const [tag, word = ''] = cell as readonly [string, string?];
  switch (tag) {
    case 'number':
      return exactNumber(word);
    case 'boolean':
      return word === 'true';
    case 'json':
      return parseExactly(word);
    default:
      return word;
  }
}
