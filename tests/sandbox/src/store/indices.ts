import { isNumber, isObject, toNumber } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { valueAt, valuesAt } from '../schema/flatten.ts';
import { isArrayType, isNumericType, isStringType } from '../schema/field.ts';
import type { Field } from '../schema/field.ts';
import { sortText, stem, tokenize } from '../search/tokens.ts';
import type { Tokenizing } from '../search/tokens.ts';
import { ListColumn, NumberColumn, TokenColumn, ValueColumn } from './columns.ts';
import type { TokenLists } from './columns.ts';
import type { Documents } from './documents.ts';

export type Scalar = string | number | bigint | boolean;

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

interface Reader<T> {
  readonly column: T;
  /** Whether integers beyond 53 bits have to be read as they are. */
  readonly exact: boolean;
  read(sequence: number, document: JsonObject): void;
}

const MAX_KNOWN_TEXTS = 50_000;

const isText = (value: JsonValue): value is string => typeof value === 'string';

export const pointsOf = (value: JsonValue | undefined): Point[] => {
  if (!Array.isArray(value)) return [];
  const [latitude, longitude] = value;
  if (isNumber(latitude) && isNumber(longitude)) return [{ latitude: toNumber(latitude), longitude: toNumber(longitude) }];
  return value.flatMap(pointsOf);
};

/**
 * Indices for filters, sorts and searches, made for the first that asks and kept up to date by every write. Columns of single numbers and of sortable
 * strings are made together, since reading a large collection through costs more than the columns.
 */
export class Indices {
  readonly #documents: Documents;
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #tokenizing: Tokenizing;
  readonly #numbers = new Map<string, Reader<NumberColumn>>();
  readonly #lists = new Map<string, Reader<ListColumn<Scalar>>>();
  readonly #texts = new Map<string, Reader<ValueColumn<string>>>();
  readonly #points = new Map<string, Reader<ListColumn<Point>>>();
  readonly #tokens = new Map<string, Reader<TokenColumn>>();

  constructor(documents: Documents, fields: ReadonlyMap<string, Field>, tokenizing: Tokenizing) {
    this.#documents = documents;
    this.#fields = fields;
    this.#tokenizing = tokenizing;
  }

  numbers(name: string): NumberColumn {
    return this.#sortColumns(this.#numbers, name, (own) => numberReader(own, this.#fields.get(own)));
  }

  /** The sort text of the one string of a field. */
  sortTexts(name: string): ValueColumn<string> {
    return this.#sortColumns(this.#texts, name, sortTextReader);
  }

  /** Facet fields are made together, since one that is counted is seldom counted alone. */
  lists(name: string): ListColumn<Scalar> {
    const existing = this.#lists.get(name);
    if (existing !== undefined) return existing.column;
    const made = listReader(name, this.#fields.get(name));
    this.#lists.set(name, made);
    const others = [made];
    for (const field of this.#fields.values()) {
      if (!field.facet || this.#lists.has(field.name)) continue;
      const reader = listReader(field.name, field);
      this.#lists.set(field.name, reader);
      others.push(reader);
    }
    this.#fill(others);
    return made.column;
  }

  points(name: string): ListColumn<Point> {
    return this.#made(this.#points, name, pointReader);
  }

  tokens(field: Field): TokenColumn {
    return this.#made(this.#tokens, field.name, (name) => tokenReader(name, field, this.#tokenizing));
  }

  /** To be called with what is now stored under a sequence number. */
  changed(sequence: number, document: JsonObject): void {
    for (const readers of [this.#numbers, this.#lists, this.#texts, this.#points, this.#tokens]) {
      for (const reader of readers.values()) reader.read(sequence, document);
    }
  }

  forget(name: string): void {
    for (const readers of [this.#numbers, this.#lists, this.#texts, this.#points, this.#tokens]) readers.delete(name);
  }

  /** Makes columns beforehand, so that `changed` fills them while documents stream in. */
  prepare(tokenFields: readonly string[], facetFields: readonly string[]): void {
    for (const name of facetFields) this.lists(name);
    for (const name of tokenFields) {
      const field = this.#fields.get(name);
      if (field !== undefined) this.tokens(field);
    }
    for (const field of this.#fields.values()) {
      if (isArrayType(field.type) || !field.index) continue;
      if (isNumericType(field.type) || field.type === 'bool') this.numbers(field.name);
      else if (isStringType(field.type) && field.sort) this.sortTexts(field.name);
    }
  }

  #sortColumns<T>(readers: Map<string, Reader<T>>, name: string, make: (name: string) => Reader<T>): T {
    const existing = readers.get(name);
    if (existing !== undefined) return existing.column;
    const made = make(name);
    readers.set(name, made);
    const others: Reader<unknown>[] = [made];
    for (const field of this.#fields.values()) {
      if (isArrayType(field.type) || !field.index) continue;
      if ((isNumericType(field.type) || field.type === 'bool') && !this.#numbers.has(field.name)) {
        const reader = numberReader(field.name, field);
        this.#numbers.set(field.name, reader);
        others.push(reader);
      } else if (isStringType(field.type) && field.sort && !this.#texts.has(field.name)) {
        const reader = sortTextReader(field.name);
        this.#texts.set(field.name, reader);
        others.push(reader);
      }
    }
    this.#fill(others);
    return made.column;
  }

  #made<T>(readers: Map<string, Reader<T>>, name: string, make: (name: string) => Reader<T>): T {
    const existing = readers.get(name);
    if (existing !== undefined) return existing.column;
    const made = make(name);
    readers.set(name, made);
    this.#fill([made]);
    return made.column;
  }

  #fill(readers: readonly Reader<unknown>[]): void {
    const exact = readers.some((reader) => reader.exact);
    for (const sequence of this.#documents.sequences()) {
      const document = this.#documents.indexed(sequence, exact);
      if (document !== undefined) for (const reader of readers) reader.read(sequence, document);
    }
  }
}

const interner = (): ((text: string) => string) => {
  const interned = new Map<string, string>();
  return (text) => {
    const known = interned.get(text);
    if (known !== undefined) return known;
    interned.set(text, text);
    return text;
  };
};

const single = (document: JsonObject, name: string, parts: readonly string[]): JsonValue | undefined => {
  const own = document[name];
  if (own !== undefined || parts.length === 1) return own;
  let value: JsonValue | undefined = document;
  for (const part of parts) {
    if (!isObject(value)) return undefined;
    value = value[part];
  }
  return value;
};

/** An int32 that is too large is stored as it came and indexed modulo 2^32; floats are indexed in single precision. */
const narrow = (type: string, value: JsonValue | undefined): JsonValue | undefined => {
  if (type === 'int32' && typeof value === 'number') return value | 0;
  return type === 'float' && isNumber(value) ? Math.fround(toNumber(value)) : value;
};

const numberReader = (name: string, field: Field | undefined): Reader<NumberColumn> => {
  const parts = name.split('.');
  const type = field?.type ?? '';
  const column = new NumberColumn();
  return {
    column,
    exact: type === 'int64',
    read: (sequence, document) => column.set(sequence, narrow(type, single(document, name, parts))),
  };
};

const sortTextReader = (name: string): Reader<ValueColumn<string>> => {
  const parts = name.split('.');
  const column = new ValueColumn<string>();
  return {
    column,
    exact: false,
    read: (sequence, document) => {
      const value = single(document, name, parts);
      column.set(sequence, typeof value === 'string' ? sortText(value) : undefined);
    },
  };
};

const listReader = (name: string, field: Field | undefined): Reader<ListColumn<Scalar>> => {
  const parts = name.split('.');
  const column = new ListColumn<Scalar>();
  const intern = interner();
  const lists = new Map<string, readonly Scalar[]>();
  const alone = (text: string): readonly Scalar[] => {
    const known = lists.get(text);
    if (known !== undefined) return known;
    const made = [text];
    if (lists.size < MAX_KNOWN_TEXTS) lists.set(text, made);
    return made;
  };
  return {
    column,
    exact: field?.type.startsWith('int64') === true,
    read: (sequence, document) => {
      const one = single(document, name, parts);
      if (typeof one === 'string') {
        column.set(sequence, alone(one));
        return;
      }
      const values: Scalar[] = [];
      for (const value of valuesAt(one ?? document, one === undefined ? parts : [])) {
        if (typeof value === 'string') values.push(intern(value));
        else if (typeof value === 'boolean' || typeof value === 'bigint') values.push(value);
        else if (isNumber(value)) values.push(toNumber(value));
      }
      column.set(sequence, values);
    },
  };
};

const pointReader = (name: string): Reader<ListColumn<Point>> => {
  const column = new ListColumn<Point>();
  return { column, exact: false, read: (sequence, document) => column.set(sequence, pointsOf(valueAt(document, name))) };
};

const tokenReader = (name: string, field: Field, tokenizing: Tokenizing): Reader<TokenColumn> => {
  const parts = name.split('.');
  const column = new TokenColumn();
  const intern = interner();
  const own = { ...tokenizing, locale: field.locale };
  const known = new Map<string, TokenLists>();
  const tokensOf = (text: string): TokenLists => {
    const existing = known.get(text);
    if (existing !== undefined) return existing;
    const tokens = tokenize(text, own).map((token) => intern(field.stem ? stem(token) : token));
    for (const token of tokens) column.learn(token);
    const made = [tokens];
    if (known.size < MAX_KNOWN_TEXTS) known.set(text, made);
    return made;
  };
  const knownLists = new Map<string, TokenLists>();
  const listsOf = (texts: readonly string[]): TokenLists => {
    const key = texts.join('\0');
    const existing = knownLists.get(key);
    if (existing !== undefined) return existing;
    const made = texts.flatMap(tokensOf);
    if (knownLists.size < MAX_KNOWN_TEXTS) knownLists.set(key, made);
    return made;
  };
  return {
    column,
    exact: false,
    read: (sequence, document) => {
      const value = single(document, name, parts);
      if (typeof value === 'string') {
        column.set(sequence, tokensOf(value));
        return;
      }
      const texts = valuesAt(value ?? document, value === undefined ? parts : []).filter(isText);
      column.set(sequence, listsOf(texts));
    },
  };
};
