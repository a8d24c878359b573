import { badRequest } from '../errors.ts';
import { baseType, isNumericType, isStringType } from '../schema/field.ts';
import type { Field } from '../schema/field.ts';
import { isFloatText, isInt32Text, isInt64Text } from '../schema/validate.ts';
import { readGeoShapes } from './geo.ts';
import type { FilterLeaf, NumberComparator, NumberRange } from './syntax.ts';

export interface LeafContext {
  readonly fields: ReadonlyMap<string, Field>;
  readonly int32RangeCheck: boolean;
  readonly prefix: string;
}

const INTEGER = /^-?[0-9]+$/;
const RANGE = '..';

/** Splits at commas outside backticks and takes the backticks off; a tick after a backslash stays. */
const splitValues = (text: string): string[] => {
  const values: string[] = [];
  let buffer = '';
  let inTicks = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '`') {
      if (at > 0 && text[at - 1] === '\\') buffer += char;
      else inTicks = !(inTicks && buffer !== '');
    } else if (char === ',' && !inTicks) {
      values.push(buffer.trim());
      buffer = '';
    } else {
      buffer += char;
    }
  }
  if (buffer !== '') values.push(buffer.trim());
  return values;
};

const splitPlain = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const isList = (text: string): boolean => text.startsWith('[') && text.endsWith(']');
const insideList = (text: string): string => text.slice(1, -1);

const emptyValue = (name: string): Error => badRequest(`Error with filter field \`${name}\`: Filter value cannot be empty.`);

const readId = (raw: string): FilterLeaf => {
  if (raw === '') throw emptyValue('id');
  const negated = raw.startsWith('!=');
  const value = (negated ? raw.slice(2) : raw.startsWith('=') ? raw.slice(1) : raw).trimStart();
  if (value === '') throw emptyValue('id');
  const ids = splitValues(isList(value) ? insideList(value) : value);
  if (!isList(value) && ids.length === 0) throw emptyValue('id');
  const named = isList(value) ? ids : ids.slice(0, 1);
  return { on: 'id', negated, all: named.includes('*'), ids: named };
};

const comparatorOf = (field: Field, text: string): { comparator: NumberComparator | 'range'; value: string } => {
  if (INTEGER.test(text) || isFloatText(text)) return { comparator: '=', value: text };
  for (const comparator of ['<=', '>=', '!=', '<', '>'] as const) {
    if (text.startsWith(comparator)) return { comparator, value: text.slice(comparator.length).trim() };
  }
  if (text.includes(RANGE)) return { comparator: 'range', value: text };
  throw badRequest(`Error with filter field \`${field.name}\`: Numerical field has an invalid comparator.`);
};

const readNumber = (field: Field, text: string, context: LeafContext): number | bigint => {
  const type = baseType(field.type);
  const wrong = (detail: string): Error => badRequest(`Error with filter field \`${field.name}\`: ${detail}`);
  if (type === 'int32') {
    if (!INTEGER.test(text)) throw wrong('Not an int32.');
    if (!isInt32Text(text)) throw wrong(context.int32RangeCheck ? `\`${text}\` exceeds the range of an int32.` : 'Not an int32.');
    return Number(text);
  }
  if (type === 'int64') {
    if (!isInt64Text(text)) throw wrong('Not an int64.');
    return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  }
  if (!isFloatText(text)) throw wrong('Not a float.');
  return Math.fround(Number(text));
};

const readRange = (field: Field, text: string, context: LeafContext): NumberRange | undefined => {
  const { comparator, value } = comparatorOf(field, text);
  if (comparator !== 'range') {
    const number = readNumber(field, value, context);
    return { comparator, from: number, to: number };
  }
  const [from, to] = splitPlain(value, RANGE).map((bound) => readNumber(field, bound, context));
  return from === undefined || to === undefined ? undefined : { comparator, from, to };
};

const readNumbers = (field: Field, raw: string, context: LeafContext): FilterLeaf => {
  const readList = (list: string): NumberRange[] =>
    splitPlain(insideList(list), ',').flatMap((item) => readRange(field, item, context) ?? []);
  const bare = raw.startsWith('!') && raw[1] !== '=';
  const text = bare ? raw.slice(1).trimStart() : raw;
  if (isList(text)) return { on: 'number', field: field.name, negated: bare, ranges: readList(text) };
  if (text.startsWith('!=') && isList(text.slice(2).trim())) {
    return { on: 'number', field: field.name, negated: true, ranges: readList(text.slice(2).trim()) };
  }
  const range = readRange(field, text, context);
  if (range?.comparator === '!=') {
    return { on: 'number', field: field.name, negated: !bare, ranges: [{ ...range, comparator: '=' }] };
  }
  return { on: 'number', field: field.name, negated: bare, ranges: range === undefined ? [] : [range] };
};

const readBool = (field: Field, raw: string): FilterLeaf => {
  const operator = raw.startsWith('!=') ? '!=' : raw.startsWith('=') ? '=' : raw.startsWith('!') ? '!' : '';
  const value = raw.slice(operator.length).trimStart();
  if (value === '') throw emptyValue(field.name);
  const negated = operator.startsWith('!');
  if (isList(value)) {
    const values = splitPlain(insideList(value), ',').map((item) => {
      if (item !== 'true' && item !== 'false') {
        throw badRequest(`Values of filter field \`${field.name}\`: must be \`true\` or \`false\`.`);
      }
      return item === 'true';
    });
    return { on: 'bool', field: field.name, negated, values };
  }
  if (value !== 'true' && value !== 'false') {
    throw badRequest(`Value of filter field \`${field.name}\` must be \`true\` or \`false\`.`);
  }
  return { on: 'bool', field: field.name, negated, values: [value === 'true'] };
};

const readText = (field: Field, raw: string): FilterLeaf => {
  const operator = raw.startsWith('!=') ? '!=' : raw.startsWith('=') ? '=' : raw.startsWith('!') && raw.length >= 2 ? '!' : '';
  const value = raw.slice(operator.length).trimStart();
  if (value === '') throw emptyValue(field.name);
  return {
    on: 'text',
    field: field.name,
    negated: operator.startsWith('!'),
    exact: operator.endsWith('='),
    values: isList(value) ? splitValues(insideList(value)) : [value],
  };
};

/** Reads one `field:value`. What the operators and values mean depends on the type of the field. */
export const readLeaf = (expression: string, context: LeafContext): FilterLeaf => {
  const colon = expression.indexOf(':');
  if (colon === -1) throw badRequest('Could not parse the filter query.');
  const name = context.prefix + expression.slice(0, colon).trim();
  let raw = expression.slice(colon + 1).trim();
  if (name === 'id') return readId(raw);
  const field = context.fields.get(name);
  if (field === undefined || name.includes('.*'))
    throw badRequest(`Could not find a filter field named \`${name}\` in the schema.`);
  if (!field.index) throw badRequest(`Cannot filter on non-indexed field \`${name}\`.`);
  if (field.numDim > 0) throw badRequest(`Cannot filter on vector field \`${name}\`.`);
  if (!isStringType(field.type) && raw.startsWith('=')) raw = raw.slice(1).trimStart();
  if (isNumericType(field.type)) return readNumbers(field, raw, context);
  if (baseType(field.type) === 'bool') return readBool(field, raw);
  if (baseType(field.type) === 'geopoint' || field.type === 'geopolygon') {
    return { on: 'geo', field: name, shapes: readGeoShapes(name, raw) };
  }
  if (isStringType(field.type)) return readText(field, raw);
  throw badRequest(`Error with filter field \`${name}\`: Unidentified field data type, see docs for supported data types.`);
};
