import { countOf, isObject, textOfField } from './guards.ts';
import type { JsonObject } from './guards.ts';

/** One field of a collection, as the server declares it. */
export interface SchemaField {
  readonly name: string;
  /** Such as `int32`, `string[]`, `object`. */
  readonly type: string;
  readonly optional: boolean;
  readonly sort: boolean;
  readonly index: boolean;
  readonly store: boolean;
  readonly facet: boolean;
  readonly infix: boolean;
  /** Empty for the server's default. */
  readonly locale: string;
  /** Characters that are words or parts of words; the field's own where it has some, else the collection's. */
  readonly symbolsToIndex: readonly string[];
  /** Characters that end a word, by the same rule. */
  readonly tokenSeparators: readonly string[];
  /** Dimensions of a vector; 0 for everything else. */
  readonly dimensions: number;
  readonly reference?: string;
  /** Whether the server computes the value from other fields. */
  readonly embedded: boolean;
}

export interface CollectionSchema {
  /** The collection's own name, also when it was asked for by an alias. */
  readonly name: string;
  readonly fields: readonly SchemaField[];
  readonly documents: number;
  /** Empty when there is none. */
  readonly defaultSortingField: string;
  /** Whether a dotted name is a path into nested objects; else it is one name. */
  readonly nested: boolean;
}

/** Types that have `sort` unless the schema turns it off. */
const SORTED_BY_DEFAULT = new Set(['int32', 'int64', 'float', 'bool']);

/** Texts of a list that is a member; none where it isn't one. */
function textsOf(object: JsonObject, name: string): readonly string[] {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function fieldOf(value: unknown, collection: JsonObject): SchemaField | undefined {
  if (!isObject(value)) return undefined;
  const name = textOfField(value, 'name');
  const type = textOfField(value, 'type');
  if (name === undefined || type === undefined) return undefined;
  const reference = textOfField(value, 'reference');
  const charactersOf = (member: string): readonly string[] => {
    const own = textsOf(value, member);
    return own.length > 0 ? own : textsOf(collection, member);
  };
  return {
    name,
    type,
    optional: value['optional'] === true,
    sort: typeof value['sort'] === 'boolean' ? value['sort'] : SORTED_BY_DEFAULT.has(type),
    index: value['index'] !== false,
    store: value['store'] !== false,
    facet: value['facet'] === true,
    infix: value['infix'] === true,
    locale: textOfField(value, 'locale') ?? '',
    symbolsToIndex: charactersOf('symbols_to_index'),
    tokenSeparators: charactersOf('token_separators'),
    dimensions: countOf(value, 'num_dim') ?? 0,
    embedded: isObject(value['embed']) && Object.keys(value['embed']).length > 0,
    ...(reference === undefined || reference === '' ? {} : { reference }),
  };
}

/** Types with which a field is declared before the server has seen a value. */
const UNDECIDED_TYPES = new Set(['auto', 'string*']);

/**
 * Each field once. The server lists a field that was declared by name as `auto` or `string*` a second time once a document brought it: first as
 * declared, then with its real type. It keeps the place of its declaration.
 */
function decided(fields: readonly SchemaField[]): SchemaField[] {
  const known = new Map<string, SchemaField>();
  for (const field of fields) {
    const isWorse = UNDECIDED_TYPES.has(field.type) && known.has(field.name);
    if (!isWorse) known.set(field.name, field);
  }
  return [...known.values()];
}

/** A collection as `GET /collections` gives it; undefined when the value is none. A collection without fields has `null` there. */
export function collectionOf(value: unknown): CollectionSchema | undefined {
  if (!isObject(value)) return undefined;
  const name = textOfField(value, 'name');
  if (name === undefined) return undefined;
  const fields: unknown = value['fields'] ?? [];
  if (!Array.isArray(fields)) return undefined;
  return {
    name,
    fields: decided(fields.map((field) => fieldOf(field, value)).filter((field) => field !== undefined)),
    documents: countOf(value, 'num_documents') ?? 0,
    defaultSortingField: textOfField(value, 'default_sorting_field') ?? '',
    nested: value['enable_nested_fields'] === true,
  };
}
