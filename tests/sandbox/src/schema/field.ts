import { badRequest } from '../errors.ts';
import { isInteger, isObject, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Features } from '../versions.ts';

export const fieldTypes = [
  'string',
  'string[]',
  'int32',
  'int32[]',
  'int64',
  'int64[]',
  'float',
  'float[]',
  'bool',
  'bool[]',
  'geopoint',
  'geopoint[]',
  'geopolygon',
  'object',
  'object[]',
  'auto',
  'string*',
  'image',
] as const;

export type FieldType = (typeof fieldTypes)[number];

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly facet: boolean;
  readonly index: boolean;
  readonly infix: boolean;
  readonly locale: string;
  readonly optional: boolean;
  readonly sort: boolean;
  readonly stem: boolean;
  readonly stemDictionary: string;
  readonly store: boolean;
  readonly rangeIndex: boolean;
  readonly reference: string;
  readonly asyncReference: boolean;
  readonly numDim: number;
  readonly vecDist: string;
  readonly embed: JsonObject | undefined;
  /** A leaf of an object, or an object itself. */
  readonly nested: boolean;
}

export const FALLBACK_NAME = '.*';
const MIXED_LOCALE = 'de_en';
const DEFAULT_HNSW = { M: 16, ef_construction: 200 } as const;
const UNSORTABLE_TYPES: readonly FieldType[] = ['string*', 'string[]'];
const SORTABLE_TYPES: readonly FieldType[] = ['int32', 'int64', 'float', 'bool', 'geopoint', 'geopoint[]'];
const FIELDS_FORMAT =
  'Wrong format for `fields`. It should be an array of objects containing `name`, `type`, `optional` and `facet` properties.';

export const isStringType = (type: FieldType): boolean => type === 'string' || type === 'string[]';
export const isObjectType = (type: FieldType): boolean => type === 'object' || type === 'object[]';
export const isArrayType = (type: FieldType): boolean => type.endsWith('[]');
export const baseType = (type: FieldType): string => type.replace('[]', '');
export const isNumericType = (type: FieldType): boolean => ['int32', 'int64', 'float'].includes(baseType(type));
const isDynamicName = (name: string): boolean => name.includes('.*');
/** `auto` and `string*` leave the type to the first value. */
export const isOpenType = (type: FieldType): boolean => type === 'auto' || type === 'string*';
/** Says how to learn fields and holds no values itself. */
export const isDynamic = ({ name, type }: { readonly name: string; readonly type: FieldType }): boolean =>
  isDynamicName(name) || isOpenType(type);

const isFieldType = (value: string): value is FieldType => fieldTypes.some((known) => known === value);

const sortsByDefault = (type: FieldType, numDim = 0, facet = false): boolean =>
  SORTABLE_TYPES.includes(type) && (numDim === 0 || facet);

const flag = (source: JsonObject, key: string, name: string, fallback: boolean): boolean => {
  const value = source[key];
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') throw badRequest(`The \`${key}\` property of the field \`${name}\` should be a boolean.`);
  return value;
};

/** Undefined for a field called `id`, which is passed over. */
export const readField = (source: JsonValue, enableNested: boolean, hasMixedLocale = false): Field | undefined => {
  if (!isObject(source)) throw badRequest(FIELDS_FORMAT);
  const { name, type } = source;
  if (name === 'id') return undefined;
  if (typeof name !== 'string' || typeof type !== 'string') throw badRequest(FIELDS_FORMAT);
  if (source['drop'] !== undefined) {
    throw badRequest(`Invalid property \`drop\` on field \`${name}\`: it is allowed only during schema update.`);
  }
  if (!isFieldType(type)) {
    throw badRequest(
      name === FALLBACK_NAME
        ? 'The `type` of field `.*` is invalid.'
        : `Field \`${name}\` has an invalid data type \`${type}\`, see docs for supported data types.`,
    );
  }
  const facet = flag(source, 'facet', name, false);
  const index = flag(source, 'index', name, true);
  const dynamic = isDynamic({ name, type });
  const optional = flag(source, 'optional', name, dynamic);
  if (name === FALLBACK_NAME) {
    if (!optional) throw badRequest('Field `.*` must be an optional field.');
    if (facet) throw badRequest('Field `.*` cannot be a facet field.');
    if (!index) throw badRequest('Field `.*` must be an index field.');
  }
  if (isObjectType(type) && !enableNested) {
    throw badRequest(
      'Type `object` or `object[]` can be used only when nested fields are enabled by setting` enable_nested_fields` to true.',
    );
  }
  const dimensions = source['num_dim'];
  if (dimensions !== undefined) {
    if (!isInteger(dimensions) || dimensions < 0) throw badRequest('Property `num_dim` must be a positive integer.');
    if (type !== 'float[]') throw badRequest('Property `num_dim` is only allowed on a float array field.');
    if (facet) throw badRequest('Property `facet` is not allowed on a vector field.');
  }
  if (!optional && dynamic && name !== FALLBACK_NAME) throw badRequest(`Field \`${name}\` must be an optional field.`);
  if (source['vec_dist'] !== undefined && source['vec_dist'] !== 'cosine' && source['vec_dist'] !== 'ip')
    throw badRequest('Property `vec_dist` is invalid.');
  if (source['range_index'] === true && !isNumericType(type))
    throw badRequest('The `range_index` property is only allowed for the numerical fields`');
  if (source['stem'] === true && !isStringType(type)) {
    throw badRequest('The `stem` property is only allowed for string and string[] fields.');
  }
  if (source['sort'] === true && UNSORTABLE_TYPES.includes(type))
    throw badRequest(`Field \`${name}\` cannot be a sortable field.`);
  const numDim = dimensions === undefined ? 0 : Number(dimensions);
  const locale = source['locale'] ?? '';
  if (typeof locale !== 'string') throw badRequest(`The \`locale\` property of the field \`${name}\` should be a string.`);
  if (locale !== '' && locale.length !== 2 && !(hasMixedLocale && locale === MIXED_LOCALE))
    throw badRequest(`The \`locale\` value of the field \`${name}\` is not valid.`);
  const reference = source['reference'] ?? '';
  if (typeof reference !== 'string') throw badRequest('Reference should be a string.');
  if (reference !== '' && !reference.includes('.')) throw badRequest(`Invalid reference \`${reference}\`.`);
  const stemDictionary = source['stem_dictionary'];
  const vecDist = source['vec_dist'];
  const embed = source['embed'];
  const sort = flag(source, 'sort', name, name !== FALLBACK_NAME && sortsByDefault(type, numDim, facet));
  return {
    name,
    type,
    facet,
    index,
    infix: flag(source, 'infix', name, false),
    locale,
    optional,
    sort: sort || type === 'geopoint',
    stem: flag(source, 'stem', name, false) || (typeof stemDictionary === 'string' && stemDictionary !== ''),
    stemDictionary: typeof stemDictionary === 'string' ? stemDictionary : '',
    store: flag(source, 'store', name, true),
    rangeIndex: flag(source, 'range_index', name, false),
    reference,
    asyncReference: flag(source, 'async_reference', name, false),
    numDim,
    vecDist: typeof vecDist === 'string' ? vecDist : 'cosine',
    embed: isObject(embed) ? embed : undefined,
    nested: isObjectType(type) || (enableNested && !dynamic && name.includes('.')),
  };
};

/** A field that the server adds: learned from a document, or the leaf of an object. */
export const learnedField = (name: string, type: FieldType, parent?: Field): Field => ({
  name,
  type,
  facet: parent?.facet ?? false,
  index: parent?.index ?? true,
  infix: false,
  locale: parent?.locale ?? '',
  optional: true,
  sort: sortsByDefault(type),
  stem: parent?.stem ?? false,
  stemDictionary: parent?.stemDictionary ?? '',
  store: parent?.store ?? true,
  rangeIndex: false,
  reference: '',
  asyncReference: false,
  numDim: 0,
  vecDist: 'cosine',
  embed: undefined,
  nested: parent !== undefined || isObjectType(type),
});

/** A field that a declaration by name or pattern describes, with the type its first value showed. */
export const describedField = (declared: Field, name: string, type: FieldType): Field => ({
  ...declared,
  name,
  type,
  sort: isOpenType(declared.type) ? sortsByDefault(type) : declared.sort,
  nested: isObjectType(type),
});

/** As `GET /collections/<name>` shows it. */
export const showField = (field: Field, features: Features): JsonObject => {
  const shown: [string, JsonValue][] = [
    ['facet', field.facet],
    ['index', field.index],
    ['infix', field.infix],
    ['locale', field.locale],
    ['name', field.name],
    ['optional', field.optional],
    ['sort', field.sort],
    ['stem', field.stem],
    ['type', field.type],
  ];
  if (features.fieldStore) shown.push(['store', field.store]);
  if (features.fieldStemDictionary) shown.push(['stem_dictionary', field.stemDictionary]);
  if (field.rangeIndex) shown.push(['range_index', true]);
  if (field.reference !== '') shown.push(['reference', field.reference]);
  if (field.reference !== '' && features.asyncReferenceShown) shown.push(['async_reference', field.asyncReference]);
  if (field.embed !== undefined) shown.push(['embed', field.embed]);
  if (field.numDim > 0) {
    shown.push(['num_dim', field.numDim], ['vec_dist', field.vecDist], ['hnsw_params', objectOf(Object.entries(DEFAULT_HNSW))]);
  }
  return objectOf(shown);
};

/** As the answer to a schema change shows an added field. */
export const showAlteredField = (field: Field, source: JsonObject, features: Features): JsonObject => {
  if (features.alterEcho === 'request') return source;
  const shown: [string, JsonValue][] = [
    ...Object.entries(showField({ ...field, reference: '', rangeIndex: false }, features)),
    ['embed', field.embed ?? null],
    ['hnsw_params', objectOf(Object.entries(DEFAULT_HNSW))],
    ['nested', field.nested],
    ['nested_array', field.nested ? 2 : 0],
    ['num_dim', field.numDim],
    ['range_index', field.rangeIndex],
    ['reference', field.reference],
    ['store', field.store],
    ['vec_dist', field.vecDist],
  ];
  if (features.alterEcho === 'computed-28') {
    shown.push(['async_reference', field.asyncReference], ['symbols_to_index', []], ['token_separators', []]);
  }
  return objectOf(shown);
};
