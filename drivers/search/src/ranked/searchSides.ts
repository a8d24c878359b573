import { DriverError } from '@tabularium/sdk';
import type { DriverTexts, DroppedSort, SearchRequest, TableRef } from '@tabularium/sdk';
import type { Search } from '../client.ts';
import { baseType } from '../fieldTypes.ts';
import { faultTexts } from '../faultTexts.ts';
import { filterFor } from '../pages.ts';
import type { Schemas } from '../schemas.ts';
import { sortText } from '../sorts.ts';
import { collectionName } from '../tables.ts';
import { has } from '../versions.ts';
import { parametersOf } from './parameters.ts';
import type { RankedParameters } from './parameters.ts';
import { MOST_COLLECTIONS, SINCE_UNION } from './unionLimits.ts';

/** One collection of a search. */
export interface SearchSide {
  readonly table: TableRef;
  readonly collection: string;
  /** The search of it, without its range. */
  readonly search: Search;
  readonly parameters: RankedParameters;
  readonly sortBy: string | number | boolean | undefined;
  /** Fields that are not read. */
  readonly vectors: readonly string[];
  /** Fields of floating-point numbers. */
  readonly floats: ReadonlySet<string>;
}

export interface SearchSides {
  /** The collection of the request first. */
  readonly sides: readonly [SearchSide, ...SearchSide[]];
  readonly droppedSorts: readonly DroppedSort[];
}

/**
 * The collections of a search, each with its own fields, filter and order.
 *
 * @throws DriverError `INVALID_INPUT` with `alsoIn` for collections that cannot be searched together
 */
export async function searchSides(
  request: SearchRequest,
  schemas: Schemas,
  version: number | undefined,
  signal: AbortSignal,
): Promise<SearchSides> {
  const { alsoIn = [] } = request;
  const tables = [request.table, ...alsoIn];
  checkTogether(tables, request, version);
  const read = await Promise.all(
    tables.map(async (table) => {
      const collection = collectionName(table);
      return { table, collection, ...(await filterFor(collection, schemas, signal, request.filter)) };
    }),
  );
  // The server ranks hits together only where all are sorted by as much.
  const dropped = new Map<string, DroppedSort>();
  for (const { collection, schema } of read) {
    for (const { column, reason } of sortText(request.sorts, schema).dropped) {
      if (!dropped.has(column)) dropped.set(column, { column, reason: read.length === 1 ? reason : `${collection}: ${reason}` });
    }
  }
  const sorts = read.length === 1 ? request.sorts : request.sorts.filter(({ column }) => !dropped.has(column));
  const sides = read.map(({ table, collection, schema, text: filter }, place): SearchSide => {
    const asked = place === 0 ? request : { ...request, fields: [], facets: [] };
    const parameters = parametersOf(asked, schema, version);
    // An expression of one's own is the whole order.
    const sortBy = parameters['sort_by'] ?? sortText(sorts, schema).text;
    const vectors =
      schema?.fields.filter(({ dimensions, name }) => dimensions > 0 && !name.includes(',')).map(({ name }) => name) ?? [];
    const floats = new Set(schema?.fields.filter(({ type }) => baseType(type) === 'float').map(({ name }) => name));
    const search = {
      collection,
      ...parameters,
      ...(filter === undefined ? {} : { filter_by: filter }),
      ...(sortBy === undefined ? {} : { sort_by: sortBy }),
      ...(vectors.length === 0 ? {} : { exclude_fields: vectors.join(',') }),
    };
    return { table, collection, search, parameters, sortBy, vectors, floats };
  });
  const [first, ...others] = sides;
  if (first === undefined) throw new RangeError('A search has a collection.');
  return { sides: [first, ...others], droppedSorts: [...dropped.values()] };
}

function checkTogether(tables: readonly TableRef[], { facets }: SearchRequest, version: number | undefined): void {
  if (tables.length === 1) return;
  if (!has(version, SINCE_UNION)) {
    throw invalid('This server version searches one collection at a time.', faultTexts('fault.unionVersion'));
  }
  if (tables.length > MOST_COLLECTIONS) {
    throw invalid(
      `One search looks in at most ${MOST_COLLECTIONS} collections.`,
      faultTexts('fault.unionMost', { most: MOST_COLLECTIONS }),
    );
  }
  const seen = new Set<string>();
  for (const table of tables) {
    const name = collectionName(table);
    if (seen.has(name)) throw invalid(`The collection “${name}” is there twice.`, faultTexts('fault.unionTwice', { name }));
    seen.add(name);
  }
  if (facets.length > 0) {
    throw invalid('The server counts no values for a search of several collections.', faultTexts('fault.unionFacets'));
  }
}

function invalid(message: string, texts: DriverTexts): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { field: 'alsoIn', texts } });
}
