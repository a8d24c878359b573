import { DriverError, encodeBatch, isDriverError } from '@tabularium/sdk';
import type { BatchColumn, ReadRows, RowKey, RowsFacet, RowsRequest } from '@tabularium/sdk';
import type { SearchClient } from './client.ts';
import { cutOff } from './embeddedLimits.ts';
import type { ExactJson } from './exactJson.ts';
import { isObject } from './guards.ts';
import type { JsonObject } from './guards.ts';
import { learnColumns } from './learnedColumns.ts';
import { idLiteral } from './literals.ts';
import { pageColumns } from './pageColumns.ts';
import { documentsOf, foundOf, searchOnce } from './search.ts';
import { collectionPath, encodeSegment } from './paths.ts';
import { rowReader } from './rowReader.ts';
import type { Schemas } from './schemas.ts';
import { collectionName } from './tables.ts';

/** Documents that are asked for at the same time. */
const AT_ONCE = 8;

interface FoundDocument {
  readonly document: JsonObject;
  readonly marked: boolean;
}

/** Documents by their ids, every value whole. */
export function createRows(client: SearchClient, schemas: Schemas): RowsFacet {
  return { read: (request, { signal }) => readRows(request, client, schemas, signal) };
}

async function readRows(request: RowsRequest, client: SearchClient, schemas: Schemas, signal: AbortSignal): Promise<ReadRows> {
  const collection = collectionName(request.table);
  const ids = request.keys.map(idOf);
  const schema = await schemas.get(collection, signal);
  const found: FoundDocument[] = [];
  for (let done = 0; done < ids.length; done += AT_ONCE) {
    const some = await Promise.all(ids.slice(done, done + AT_ONCE).map((id) => documentWith(id, collection, client, signal)));
    found.push(...some.filter((one) => one !== undefined));
  }
  const { columns: names } = request;
  const columns: readonly BatchColumn[] =
    schema === undefined
      ? (schemas.describedColumns(collection) ?? learnColumns(found.map(({ document }) => document)))
      : pageColumns(schema, names === undefined ? {} : { columns: names }).columns;
  const row = rowReader(columns);
  return {
    rowCount: found.length,
    batch: encodeBatch({ columns, rows: found.map(({ document, marked }) => row(document, marked)) }),
  };
}

function idOf([cell = null, ...more]: RowKey): string {
  const id = Array.isArray(cell) && cell[0] === 'text' ? (cell as readonly string[])[1] : cell;
  if (typeof id !== 'string' || id === '' || !id.isWellFormed() || more.length > 0)
    throw new DriverError('INVALID_INPUT', "The key of a document is its id, a string that isn't empty.");
  return id;
}

/**
 * By its path, which finds every id. A key that may only search finds it by a filter. (`include_fields` in the path does not work before 29.0:
 * the document comes whole.)
 */
async function documentWith(
  id: string,
  collection: string,
  client: SearchClient,
  signal: AbortSignal,
): Promise<FoundDocument | undefined> {
  let answer: ExactJson;
  try {
    answer = await client.read(`${collectionPath(collection)}/documents/${encodeSegment(id)}`, signal);
  } catch (error) {
    if (!isDriverError(error)) throw error;
    if (error.code === 'NOT_FOUND') return undefined;
    if (error.code !== 'ACCESS_REFUSED') throw error;
    const { result, marked } = await searchOnce(
      collection,
      { q: '*', limit: 1, filter_by: `id:=${idLiteral(id)}` },
      client,
      signal,
    );
    const document = documentsOf(result)[0];
    if (document === undefined && foundOf(result) > 0) throw cutOff(0, foundOf(result));
    return document === undefined ? undefined : { document, marked };
  }
  return isObject(answer.value) ? { document: answer.value, marked: answer.marked } : undefined;
}
