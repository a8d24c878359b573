import { isDriverError } from '@tabularium/sdk';
import type { SearchForm, SearchOption, TableRef } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { isPlainName } from '../columns.ts';
import { baseType, factsOf } from '../fieldTypes.ts';
import { isObject, textOfField } from '../guards.ts';
import type { CollectionSchema, SchemaField } from '../schema.ts';
import type { Schemas } from '../schemas.ts';
import { collectionName } from '../tables.ts';
import { has } from '../versions.ts';
import { RANKED_OPTIONS, formOption } from './options.ts';
import { MOST_COLLECTIONS, SINCE_UNION } from './unionLimits.ts';

/** The server takes up to 127. */
export const MOST_WEIGHT = 127;
/** More fields than a person reads; a collection of hundreds is searched in the first ones unless others are chosen. */
const MOST_DEFAULT_FIELDS = 20;
const MOST_LISTED = 1_000;
const MOST_CHOICES = 500;

/** Fields that words can be looked for in. */
export function searchedFields({ fields }: CollectionSchema): SchemaField[] {
  return fields
    .filter(({ name, type, index, dimensions, embedded }) => {
      if (!index || !isPlainName(name) || name.includes('*')) return false;
      return baseType(type) === 'string' || (embedded && dimensions > 0);
    })
    .slice(0, MOST_LISTED);
}

/** Fields whose values the server counts. */
export function countedFields({ fields }: CollectionSchema): SchemaField[] {
  return fields
    .filter(({ name, type, index, facet }) => index && facet && isPlainName(name) && factsOf(type).filterClass !== undefined)
    .slice(0, MOST_LISTED);
}

/** The fields that are looked in where nothing is chosen: every text; vectors only where they are asked for, since they cost a model's time. */
export function defaultFields(schema: CollectionSchema): SchemaField[] {
  return searchedFields(schema)
    .filter(({ dimensions }) => dimensions === 0)
    .slice(0, MOST_DEFAULT_FIELDS);
}

/** The options that a version has. */
export function optionsOf(version: number | undefined): string[] {
  return Object.entries(RANKED_OPTIONS).flatMap(([id, { since, until }]) => {
    const range = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
    return has(version, range) ? [id] : [];
  });
}

/** The form of one collection, with the presets and stopwords that the server has now. */
export async function readSearchForm(
  table: TableRef,
  client: SearchClient,
  schemas: Schemas,
  version: number | undefined,
  signal: AbortSignal,
): Promise<SearchForm> {
  signal.throwIfAborted();
  const schema = await schemas.get(collectionName(table), signal);
  const [presets, stopwords] = await Promise.all([
    namesOf(client, '/presets', ['presets', 'name'], signal),
    namesOf(client, '/stopwords', ['stopwords', 'id'], signal),
  ]);
  const options = optionsOf(version).flatMap((id): SearchOption[] => {
    const option = RANKED_OPTIONS[id];
    if (option === undefined) return [];
    const shown = formOption(id, option);
    const names = id === 'preset' ? presets : id === 'stopwords' ? stopwords : undefined;
    return [names === undefined || names.length === 0 ? shown : asChoice(shown, names)];
  });
  const defaults = new Set(schema === undefined ? [] : defaultFields(schema).map(({ name }) => name));
  return {
    fields: schema === undefined ? [] : searchedFields(schema).map(({ name }) => ({ name, isDefault: defaults.has(name) })),
    mostWeight: MOST_WEIGHT,
    facets: schema === undefined ? [] : countedFields(schema).map(({ name }) => name),
    options,
    ...(has(version, SINCE_UNION) ? { mostTables: MOST_COLLECTIONS } : {}),
  };
}

/** The same option with the server's names to choose from. */
function asChoice(option: SearchOption, names: readonly string[]): SearchOption {
  const { id, label, help, group, texts } = option;
  const none = { value: '', label: 'None', texts: { label: { id: 'search.choice.none' } } };
  const facts = { id, label, group, ...(help === undefined ? {} : { help }), ...(texts === undefined ? {} : { texts }) };
  return { ...facts, type: 'choice', default: '', choices: [none, ...names.map((value) => ({ value, label: value }))] };
}

/** Names of a list of the server; undefined where the key may not read it, and the name is typed then. */
async function namesOf(
  client: SearchClient,
  path: string,
  [list, member]: readonly [string, string],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const { value } = await client.read(path, signal);
    const entries = isObject(value) ? value[list] : undefined;
    if (!Array.isArray(entries)) return undefined;
    return entries
      .flatMap((entry: unknown) => (isObject(entry) ? (textOfField(entry, member) ?? []) : []))
      .filter((name) => name !== '' && name.length <= 1_000)
      .slice(0, MOST_CHOICES);
  } catch (error) {
    if (isDriverError(error) && error.code !== 'CANCELLED') return undefined;
    throw error;
  }
}
