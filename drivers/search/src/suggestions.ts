import { DriverError, isDriverError } from '@tabularium/sdk';
import type { SuggestedValue, SuggestionRequest, Suggestions, SuggestionsFacet } from '@tabularium/sdk';
import { badAnswer } from './client.ts';
import type { SearchClient } from './client.ts';
import { isPlainName } from './columns.ts';
import { exactDigits } from './exactJson.ts';
import { fieldReader } from './fieldReader.ts';
import { baseType, factsOf } from './fieldTypes.ts';
import type { JsonObject } from './guards.ts';
import { countOf, isObject, textOfField } from './guards.ts';
import { LIMITS, limitFor } from './limits.ts';
import { textLiteral } from './literals.ts';
import { documentsOf, foundOf, searchFirst, searchOnce } from './search.ts';
import type { CollectionSchema, SchemaField } from './schema.ts';
import type { Schemas } from './schemas.ts';
import { collectionName } from './tables.ts';
import { faultTexts } from './faultTexts.ts';

/** Longer values are texts, which people don't choose from a list. */
const LONGEST_VALUE = 200;
const MOST_COUNTED = limitFor(LIMITS.facetValues);

/**
 * Values of a field. The server counts them where the field was created with `facet`; of any other field it has no list of values, so that
 * those of some documents are taken: of documents with a word that begins as typed where the field holds text, else of the first ones. A
 * filter finds them, never a search: a search is a user's query to the server's analytics, and 26.0 can't leave it out. Numbers
 * that aren't a facet, and floats, can only be sampled, because only words can be looked for by their beginning.
 */
export function createSuggestions(client: SearchClient, schemas: Schemas): SuggestionsFacet {
  return {
    async values(request, { signal }) {
      signal.throwIfAborted();
      const collection = collectionName(request.table);
      const field = fieldOf(await schemas.get(collection, signal), request.column);
      // Counted floats are rounded to six digits, so that a filter for one finds nothing.
      if (field?.facet === true && baseType(field.type) !== 'float') return counted(collection, field, request, client, signal);
      if (field !== undefined && baseType(field.type) === 'bool')
        return { values: fitting(['true', 'false'], request), from: 'all' };
      return sampled(collection, field, request, client, signal);
    },
  };
}

/** Undefined for `id`, and where the key may not read the schema. @throws DriverError for a field without values to choose from */
function fieldOf(schema: CollectionSchema | undefined, column: string): SchemaField | undefined {
  if (!isPlainName(column)) throw noValues(column);
  if (column === 'id' || schema === undefined) return undefined;
  const field = schema.fields.find(({ name }) => name === column);
  if (field === undefined) {
    throw new DriverError('STRUCTURE_CHANGED', `The collection has no field “${column}”.`, {
      details: { field: column, texts: faultTexts('fault.noField', { column }) },
    });
  }
  if (!field.index || field.dimensions > 0 || factsOf(field.type).filterClass === undefined) throw noValues(column);
  return field;
}

function noValues(column: string): DriverError {
  return new DriverError('UNSUPPORTED', `“${column}” cannot be filtered, so there are no values to choose from.`, {
    details: { field: column, texts: faultTexts('fault.noSuggestions', { column }) },
  });
}

async function counted(
  collection: string,
  { name, type }: SchemaField,
  request: SuggestionRequest,
  client: SearchClient,
  signal: AbortSignal,
): Promise<Suggestions> {
  const typed = request.typed.trim();
  // The server looks for a typed word among texts only; numbers are looked through here.
  const asks = typed !== '' && baseType(type) === 'string';
  const most = asks ? request.limit : MOST_COUNTED;
  const { result } = await searchOnce(
    collection,
    {
      q: '*',
      limit: 0,
      facet_by: name,
      max_facet_values: most,
      ...(asks ? { facet_query: `${name}:${typed}`, max_candidates: LIMITS.valuesByFacetQuery.parameter.value } : {}),
    },
    client,
    signal,
  );
  const counts = countsOf(result);
  const all = counts.filter(({ value }) => value !== '' && value.length <= LONGEST_VALUE);
  const found = asks ? all : all.filter(({ value }) => holds(value, typed));
  const isWhole = counts.length < most && found.length <= request.limit;
  return { values: found.slice(0, request.limit), from: isWhole ? 'all' : 'some' };
}

function countsOf(result: JsonObject): { readonly value: string; readonly rows: number }[] {
  const facets = result['facet_counts'];
  const facet: unknown = Array.isArray(facets) ? facets[0] : undefined;
  const counts = isObject(facet) ? facet['counts'] : undefined;
  if (!Array.isArray(counts)) throw badAnswer('POST /multi_search', 'it has no counts of values');
  return counts.flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    const value = textOfField(entry, 'value');
    const rows = countOf(entry, 'count');
    return value === undefined || rows === undefined ? [] : [{ value, rows }];
  });
}

async function sampled(
  collection: string,
  field: SchemaField | undefined,
  request: SuggestionRequest,
  client: SearchClient,
  signal: AbortSignal,
): Promise<Suggestions> {
  const typed = request.typed.trim();
  const isText = field !== undefined && typed !== '' && baseType(field.type) === 'string';
  const filter = isText ? wordFilter(request.column, typed) : undefined;
  const { documents, asked, rows, isFiltered } = await sampleOf(collection, request.column, filter, client, signal);
  const read = fieldReader(request.column);
  const values = new Set<string>();
  for (const document of documents) addTexts(values, read(document));
  const found = fitting(values, request);
  // A filter finds beginnings of words, and the typed text may be inside one: the list is complete only where every document was read.
  const isWhole = !isFiltered && documents.length < asked && documents.length >= rows && found.length < request.limit;
  return { values: found, from: isWhole ? 'all' : 'some' };
}

/** A filter for a word that begins as typed; undefined for a text that cannot be written in one. */
function wordFilter(column: string, typed: string): string | undefined {
  try {
    return `${column}:${textLiteral(column, typed)}*`;
  } catch (error) {
    if (isDriverError(error)) return undefined;
    throw error;
  }
}

async function sampleOf(
  collection: string,
  column: string,
  filter: string | undefined,
  client: SearchClient,
  signal: AbortSignal,
): Promise<{
  readonly documents: readonly JsonObject[];
  readonly asked: number;
  readonly rows: number;
  readonly isFiltered: boolean;
}> {
  const sample = { q: '*' as const, include_fields: column };
  if (filter !== undefined) {
    try {
      const { result, asked } = await searchFirst(collection, { ...sample, filter_by: filter }, client, signal);
      return { documents: documentsOf(result), asked, rows: foundOf(result), isFiltered: true };
    } catch (error) {
      // The typed text has no word in it: the first documents may still hold it.
      if (!isDriverError(error) || error.code !== 'INVALID_INPUT') throw error;
    }
  }
  const { result, asked } = await searchFirst(collection, sample, client, signal);
  return { documents: documentsOf(result), asked, rows: foundOf(result), isFiltered: false };
}

/** The value of a field, or each of a list; objects and nested lists are left out. */
function addTexts(values: Set<string>, value: unknown): void {
  if (Array.isArray(value)) for (const entry of value) addTexts(values, entry);
  else if (typeof value === 'string') values.add(exactDigits(value) ?? value);
  else if (typeof value === 'number' || typeof value === 'boolean') values.add(String(value));
}

function holds(value: string, typed: string): boolean {
  return value.toLowerCase().includes(typed.toLowerCase());
}

function fitting(values: Iterable<string>, { typed, limit }: SuggestionRequest): SuggestedValue[] {
  const wanted = typed.trim();
  return [...values]
    .filter((value) => value !== '' && value.length <= LONGEST_VALUE && holds(value, wanted))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .slice(0, limit)
    .map((value) => ({ value }));
}
