import { encodeBatch, isDriverError } from '@tabularium/sdk';
import type { BatchColumn, ReadRows, RowsFacet, RowsRequest } from '@tabularium/sdk';
import type { SearchClient } from './client.ts';
import { documentId } from './documentId.ts';
import { cutOff } from './embeddedLimits.ts';
import { stringifyExact } from './exactJson.ts';
import type { ExactJson } from './exactJson.ts';
import { fieldReader } from './fieldReader.ts';
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
  /** The document as the server wrote it. */
  readonly text: string;
}

/** Documents by their ids, every value whole. */
export function createRows(client: SearchClient, schemas: Schemas): RowsFacet {
  return { read: (request, { signal }) => readRows(request, client, schemas, signal) };
}

async function readRows(request: RowsRequest, client: SearchClient, schemas: Schemas, signal: AbortSignal): Promise<ReadRows> {
  const collection = collectionName(request.table);
  const ids = request.keys.map(documentId);
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
  const all = [...columns, ...memberColumns(names ?? [], columns, found)];
  const row = rowReader(all);
  const rows = found.map(({ document, marked, text }) => [
    ...row(document, marked),
    ...(request.documents === true ? [text] : []),
  ]);
  return request.documents === true
    ? {
        rowCount: found.length,
        documents: all.length,
        batch: encodeBatch({ columns: [...all, { name: documentName(all), kind: 'json' }], rows }),
      }
    : { rowCount: found.length, batch: encodeBatch({ columns: all, rows }) };
}

/** Members of documents that are asked for and no columns: objects and lists that hold columns, and what the schema does not name. */
function memberColumns(
  names: readonly string[],
  columns: readonly BatchColumn[],
  found: readonly FoundDocument[],
): readonly BatchColumn[] {
  const known = new Set(columns.map(({ name }) => name));
  return names.flatMap((name): BatchColumn[] => {
    const read = fieldReader(name);
    return known.has(name) || found.every(({ document }) => read(document) === undefined) ? [] : [{ name, kind: 'json' }];
  });
}

/** A name that no column of the batch has. */
function documentName(columns: readonly BatchColumn[]): string {
  const names = new Set(columns.map(({ name }) => name));
  let name = 'document';
  while (names.has(name)) name += '_';
  return name;
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
  let answer: ExactJson & { readonly text: string };
  try {
    answer = await client.readWithText(`${collectionPath(collection)}/documents/${encodeSegment(id)}`, signal);
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
    return document === undefined ? undefined : { document, marked, text: stringifyExact(document, marked) };
  }
  const { value, marked, text } = answer;
  return isObject(value) ? { document: value, marked, text } : undefined;
}
