import { isDriverError } from '@tabularium/sdk';
import type { ExportRequest, RowCount } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { isPlainName } from '../columns.ts';
import { LIMITS, limitFor } from '../limits.ts';
import { namingTokenizer } from '../noWord.ts';
import { countFiltered, filterFor } from '../pages.ts';
import { collectionPath } from '../paths.ts';
import type { CollectionSchema } from '../schema.ts';
import type { Schemas } from '../schemas.ts';
import { collectionName } from '../tables.ts';

/**
 * Documents that the server puts into one write. It takes one number for the whole answer, so the ramp is by size: 250 bring the first
 * line early, and from 1,000 on an export is 2.4 to 2.8 times as fast as with the server's own 100; above 2,000 nothing is gained.
 */
const SMALL_BATCH = 250;
const LARGE_BATCH = 2_000;
/** A collection up to this size is through before the larger batch would pay. */
const SMALL_EXPORT = 5_000;

/** No document is expected to have it; one that has does no harm. */
const ABSENT_ID = '_tabularium_none_';

/** Names that `include_fields` reads as nothing but names: no list, wildcard or join. */
const SIMPLE_NAME = /^[A-Za-z0-9_-]+$/;

/** An export, resolved against the schema as it is now. */
export interface ExportPlan {
  /** Of the server's own export; undefined where the export can't take the filter, and where the key may only search. */
  readonly path: string | undefined;
  readonly collection: string;
  readonly schema: CollectionSchema | undefined;
  readonly filter: string | undefined;
  /** Undefined when the key may not count. */
  readonly expected: RowCount | undefined;
}

/** Where an export reads from. */
export interface ExportSource {
  readonly client: SearchClient;
  readonly schemas: Schemas;
  /** Whether the key may not list collections: then it may be one that searches and does not export. */
  readonly isNarrow: boolean;
}

/** @throws DriverError for a filter that cannot be sent, `NOT_FOUND` */
export async function planExport(
  { table, filter }: ExportRequest,
  { client, schemas, isNarrow }: ExportSource,
  signal: AbortSignal,
): Promise<ExportPlan> {
  const collection = collectionName(table);
  const { schema, text } = await filterFor(collection, schemas, signal, filter);
  const expected = await namingTokenizer(collection, schemas, signal, () => countNow(collection, text, client, schemas, signal));
  const batch = expected !== undefined && expected.rows <= SMALL_EXPORT ? SMALL_BATCH : LARGE_BATCH;
  const query = new URLSearchParams({ batch_size: String(batch), ...(text === undefined ? {} : { filter_by: text }) });
  const joined = joinedCollections(text ?? '');
  // The server adds to each document what a filter joins, also to chosen fields.
  if (joined.length > 0) query.set('exclude_fields', joined.map((name) => `$${name}(*)`).join(','));
  const isSearched = looksForBeginnings(text ?? '') || (isNarrow && !(await mayExport(collection, client, signal)));
  const path = isSearched ? undefined : exportPath(collection, query);
  return { path, collection, schema, filter: text, expected };
}

/** Whether the key may export a collection, asked by an export of no document. */
async function mayExport(collection: string, client: SearchClient, signal: AbortSignal): Promise<boolean> {
  const path = `${collectionPath(collection)}/documents/export?filter_by=id:%3D${ABSENT_ID}`;
  try {
    await (await client.send({ method: 'GET', path, repeatable: true, signal })).discard();
    return true;
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return false;
    throw error;
  }
}

/**
 * Whether a filter has a `*` outside values in backticks. An export with such a filter has no documents (29.0 and 30.0-dev), though a search
 * with it finds some.
 */
function looksForBeginnings(filter: string): boolean {
  return filter.split('`').some((part, index) => index % 2 === 0 && part.includes('*'));
}

/** Names of `$collection(…)` in a filter, each once. What is in backticks is a value. */
export function joinedCollections(filter: string): readonly string[] {
  const outside = filter.split('`').filter((_part, index) => index % 2 === 0);
  return [...new Set(outside.flatMap((part) => Array.from(part.matchAll(/\$([^\s$(),]{1,200})\(/g), ([, name = '']) => name)))];
}

/** Undefined when the query does not fit into an address. */
export function exportPath(collection: string, query: URLSearchParams): string | undefined {
  // As a form would write it, but for blanks: the server takes a plus for a plus.
  const text = query.toString().replaceAll('+', '%20');
  return text.length > limitFor(LIMITS.queryCharacters) ? undefined : `${collectionPath(collection)}/documents/export?${text}`;
}

/** How many documents pass now; undefined when the key may not know. */
export async function countNow(
  collection: string,
  filter: string | undefined,
  client: SearchClient,
  schemas: Schemas,
  signal: AbortSignal,
): Promise<RowCount | undefined> {
  const search = (): Promise<number> => countFiltered(collection, filter, client, signal);
  try {
    if (filter !== undefined) return { rows: await search(), exact: true };
    return { rows: await schemas.count(collection, signal).catch((error: unknown) => searchInstead(error, search)), exact: true };
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return undefined;
    throw error;
  }
}

/** A key that may not read the collection may still search it, and the search counts as well. */
async function searchInstead(error: unknown, search: () => Promise<number>): Promise<number> {
  if (!isDriverError(error) || error.code !== 'ACCESS_REFUSED') throw error;
  return search();
}

/**
 * `include_fields` for the chosen columns, where the server then gives exactly these: plain names of fields that aren't an object, nor
 * inside one. Undefined where only the driver can choose.
 */
export function includeFields(columns: readonly string[], schema: CollectionSchema | undefined): string | undefined {
  const types = new Map(schema?.fields.map(({ name, type }) => [name, type]));
  const exact = columns.every((name) => {
    const type = types.get(name);
    const known = name === 'id' || (type !== undefined && type !== 'object' && type !== 'object[]');
    return known && SIMPLE_NAME.test(name) && isPlainName(name);
  });
  return exact ? columns.join(',') : undefined;
}
