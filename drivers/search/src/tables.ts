import { DriverError, isDriverError } from '@tabularium/sdk';
import type { TableRef, TableSummary } from '@tabularium/sdk';
import { badAnswer } from './client.ts';
import type { SearchClient } from './client.ts';
import { compareNames } from './columns.ts';
import { isObject, textOfField } from './guards.ts';
import type { CollectionSchema } from './schema.ts';
import { collectionOf } from './schema.ts';
import { noSuchCollection } from './schemas.ts';
import { faultTexts } from './faultTexts.ts';

/** Fields are left out: a list of many collections is some kilobytes then, and not megabytes. */
export const LIST_PATH = '/collections?exclude_fields=fields';

export function tableRef(collection: string): TableRef {
  return { namespace: [], name: collection };
}

/** The collection of a reference; a reference with a namespace is of another database. */
export function collectionName(table: TableRef): string {
  if (table.namespace.length > 0) throw noSuchCollection([...table.namespace, table.name].join('.'));
  if (table.name === '')
    throw new DriverError('INVALID_INPUT', 'The collection has no name.', {
      details: { texts: faultTexts('fault.enterCollection') },
    });
  return table.name;
}

/**
 * All collections by name, aliases among them. A key without `collections:list` gives an empty list, as one without `aliases:list`
 * gives no aliases.
 */
export async function tablesOfServer(client: SearchClient, signal: AbortSignal): Promise<TableSummary[]> {
  const [collections, aliases] = await Promise.all([
    unlessRefused(async () => collectionsOf((await client.read(LIST_PATH, signal)).value)),
    unlessRefused(async () => aliasesOf((await client.read('/aliases', signal)).value)),
  ]);
  const tables = new Map<string, TableSummary>();
  const counts = new Map<string, number>();
  for (const { name, documents } of collections) {
    counts.set(name, documents);
    tables.set(name, { ref: tableRef(name), kind: 'table', count: { rows: documents, exact: true } });
  }
  for (const [alias, collection] of aliases) {
    const rows = counts.get(collection);
    // An alias may stand for a collection that is gone; there is nothing to read behind it.
    if (rows === undefined || tables.has(alias)) continue;
    tables.set(alias, { ref: tableRef(alias), kind: 'table', count: { rows, exact: true }, aliasOf: tableRef(collection) });
  }
  return [...tables.values()].sort((a, b) => compareNames(a.ref.name, b.ref.name));
}

async function unlessRefused<T>(ask: () => Promise<T[]>): Promise<T[]> {
  try {
    return await ask();
  } catch (error) {
    if (isDriverError(error) && (error.code === 'ACCESS_REFUSED' || error.code === 'NOT_FOUND')) return [];
    throw error;
  }
}

export function collectionsOf(value: unknown): CollectionSchema[] {
  if (!Array.isArray(value)) throw badAnswer('GET /collections', "it isn't a list of collections");
  return value.map((entry: unknown) => {
    const collection = collectionOf(entry);
    if (collection === undefined) throw badAnswer('GET /collections', "an entry of the list isn't a collection");
    return collection;
  });
}

function aliasesOf(value: unknown): [alias: string, collection: string][] {
  const aliases = isObject(value) ? value['aliases'] : undefined;
  if (!Array.isArray(aliases)) throw badAnswer('GET /aliases', "it isn't a list of aliases");
  return aliases.flatMap((entry: unknown): [string, string][] => {
    const name = isObject(entry) ? textOfField(entry, 'name') : undefined;
    const collection = isObject(entry) ? textOfField(entry, 'collection_name') : undefined;
    return name === undefined || collection === undefined ? [] : [[name, collection]];
  });
}
