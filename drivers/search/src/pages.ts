import { DriverError, encodeBatch, isDriverError } from '@tabularium/sdk';
import type { BatchColumn, Filter, Page, PageRequest, RowCount, TableRef } from '@tabularium/sdk';
import { badAnswer } from './client.ts';
import type { Search, SearchClient } from './client.ts';
import { columnsOf } from './columns.ts';
import { filterText } from './filters.ts';
import type { ExactJson } from './exactJson.ts';
import type { JsonObject } from './guards.ts';
import { countOf, isObject, textOfField } from './guards.ts';
import { learnColumns } from './learnedColumns.ts';
import { rowReader } from './rowReader.ts';
import type { CollectionSchema } from './schema.ts';
import type { Schemas } from './schemas.ts';
import { noSuchCollection } from './schemas.ts';
import { serverError } from './serverErrors.ts';
import { sortText } from './sorts.ts';
import { collectionName } from './tables.ts';

/** More hits for one search are refused by the server. */
export const HITS_PER_SEARCH = 250;
/** More searches in one request are refused by the server. */
const SEARCHES_PER_REQUEST = 50;

const SEARCH_REQUEST = 'POST /multi_search';

/** What a search of a whole collection asks for, page apart. */
interface Question {
  readonly collection: string;
  readonly q: '*';
  readonly filter_by?: string;
  readonly sort_by?: string;
}

interface Found {
  readonly documents: JsonObject[];
  readonly marked: boolean;
  readonly tally: Tally;
}

export async function readPage(request: PageRequest, client: SearchClient, schemas: Schemas, signal: AbortSignal): Promise<Page> {
  const collection = collectionName(request.table);
  const offset = offsetOf(request);
  return withSchema(collection, schemas, signal, request.filter, async (schema, filter) => {
    const sort = sortText(request.sorts, schema);
    const question: Question = {
      collection,
      q: '*',
      ...(filter === undefined ? {} : { filter_by: filter }),
      ...(sort.text === undefined ? {} : { sort_by: sort.text }),
    };
    const columns =
      schema === undefined ? schemas.toldColumns(collection) : columnsOf(schema).map(({ name, kind }) => ({ name, kind }));
    const learn =
      schema === undefined ? (documents: readonly JsonObject[]) => schemas.learnFrom(collection, documents) : undefined;
    const { batch, rowCount, tally } = await findBatch(
      client,
      question,
      { offset, limit: request.limit },
      { known: columns, learn },
      signal,
    );
    const { found, milliseconds, short } = tally;
    return {
      rowCount,
      atEnd: short || offset + rowCount >= found,
      total: { rows: found, exact: true },
      droppedSorts: sort.dropped,
      serverMilliseconds: milliseconds,
      batch,
    };
  });
}

export async function countDocuments(
  { table, filter }: { readonly table: TableRef; readonly filter: Filter },
  client: SearchClient,
  schemas: Schemas,
  signal: AbortSignal,
): Promise<RowCount> {
  const collection = collectionName(table);
  const everything = filter.conditions.length === 0 && (filter.raw ?? '').trim() === '';
  if (everything) {
    try {
      return { rows: await schemas.count(collection, signal), exact: true };
    } catch (error) {
      // A key that may search but not read collections: the search counts as well.
      if (!isDriverError(error) || error.code !== 'ACCESS_REFUSED') throw error;
    }
  }
  return withSchema(collection, schemas, signal, filter, async (_schema, text) => ({
    rows: await countFiltered(collection, text, client, signal),
    exact: true,
  }));
}

/** How many documents a `filter_by` lets pass. */
export async function countFiltered(
  collection: string,
  filter: string | undefined,
  client: SearchClient,
  signal: AbortSignal,
): Promise<number> {
  const search = { q: '*', per_page: 0, ...(filter === undefined ? {} : { filter_by: filter }) };
  return foundOf((await searchOnce(collection, search, client, signal)).result);
}

/** One search of a collection, in a request of its own. */
export async function searchOnce(
  collection: string,
  search: object,
  client: SearchClient,
  signal: AbortSignal,
): Promise<{ readonly result: JsonObject; readonly marked: boolean }> {
  const { value, marked } = await client.search([{ collection, ...search }], signal);
  const [result] = resultsOf(value, 1);
  return { result: checked(result, collection), marked };
}

/**
 * The `filter_by` of a filter, and the schema that it was written by. The cached schema may be of yesterday: a filter on a field that it
 * does not know is tried once more with today's.
 */
export async function filterFor(
  collection: string,
  schemas: Schemas,
  signal: AbortSignal,
  filter: Filter,
): Promise<{ readonly schema: CollectionSchema | undefined; readonly text: string | undefined }> {
  const schema = await schemas.get(collection, signal);
  try {
    return { schema, text: filterText(filter, schema) };
  } catch (error) {
    if (!isDriverError(error) || error.code !== 'STRUCTURE_CHANGED') throw error;
    const loaded = (await schemas.load(collection, signal)).schema;
    return { schema: loaded, text: filterText(filter, loaded) };
  }
}

async function withSchema<T>(
  collection: string,
  schemas: Schemas,
  signal: AbortSignal,
  filter: Filter,
  use: (schema: CollectionSchema | undefined, filter: string | undefined) => Promise<T>,
): Promise<T> {
  const { schema, text } = await filterFor(collection, schemas, signal, filter);
  try {
    return await use(schema, text);
  } catch (error) {
    if (isDriverError(error) && (error.code === 'NOT_FOUND' || error.code === 'STRUCTURE_CHANGED')) schemas.forget(collection);
    throw error;
  }
}

function offsetOf({ position }: PageRequest): number {
  switch (position.from) {
    case 'start':
      return 0;
    case 'offset':
      return position.offset;
    case 'cursor':
      throw new DriverError('INVALID_INPUT', 'Collections are read by offset; the search server hands out no cursors.');
    case 'end':
      throw new DriverError(
        'UNSUPPORTED',
        'The search server cannot count from the end. Ask for the offset: all documents less the page.',
      );
  }
}

interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** The searches that find a range of documents. */
function rangesOf(offset: number, limit: number): Range[] {
  const ranges: Range[] = [];
  for (let done = 0; done < limit; done += HITS_PER_SEARCH) {
    ranges.push({ offset: offset + done, limit: Math.min(HITS_PER_SEARCH, limit - done) });
  }
  return ranges;
}

/** What the results of several searches say together. */
class Tally {
  readonly #collection: string;
  found = 0;
  milliseconds = 0;
  /** Whether the server had fewer documents than were asked for. */
  short = false;

  constructor(collection: string) {
    this.#collection = collection;
  }

  /**
   * @param hitsOf - how many documents a result gave
   * @param asked - how many were asked for
   */
  add(value: unknown, hitsOf: (result: JsonObject) => number, asked: number): void {
    const result = checked(value, this.#collection);
    this.found = foundOf(result);
    this.milliseconds += countOf(result, 'search_time_ms') ?? 0;
    const hits = hitsOf(result);
    // After a short answer nothing may follow, or the page would have a gap.
    if (this.short && hits > 0) {
      throw new DriverError('SERVER_ERROR', 'The collection changed while the page was being read.', {
        details: { request: SEARCH_REQUEST, advice: 'Read the page again.' },
      });
    }
    this.short ||= hits < asked;
  }
}

/** Adds the documents of an answer to those found before. */
function take(found: Found, { value, marked }: ExactJson, ranges: readonly Range[]): Found {
  const { documents, tally } = found;
  resultsOf(value, ranges.length).forEach((result, index) => {
    const hitsOf = (checkedResult: JsonObject): number => {
      const hits = documentsOf(checkedResult);
      documents.push(...hits);
      return hits.length;
    };
    tally.add(result, hitsOf, ranges[index]?.limit ?? 0);
  });
  return { documents, tally, marked: found.marked || marked };
}

/** Reads documents in as few requests as the server allows. */
async function findRange(
  client: SearchClient,
  question: Question,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<Found> {
  let found: Found = { documents: [], marked: false, tally: new Tally(question.collection) };
  const all = rangesOf(offset, limit);
  for (let done = 0; done < all.length && !found.tally.short; done += SEARCHES_PER_REQUEST) {
    const ranges = all.slice(done, done + SEARCHES_PER_REQUEST);
    const answer = await client.search(searchesOf(question, ranges), signal);
    found = take(found, answer, ranges);
  }
  return found;
}

function searchesOf(question: Question, ranges: readonly Range[]): Search[] {
  return ranges.map((range) => ({ ...question, ...range }));
}

interface PageColumns {
  /** Undefined: the columns are those of the documents. */
  readonly known: readonly BatchColumn[] | undefined;
  /** Given where the schema is hidden, to see fields that are not known. */
  readonly learn: ((documents: readonly JsonObject[]) => void) | undefined;
}

/**
 * Reads documents as the rows of a batch: straight from the answer, where the columns are known before and one request is enough.
 */
async function findBatch(
  client: SearchClient,
  question: Question,
  { offset, limit }: Range,
  { known, learn }: PageColumns,
  signal: AbortSignal,
): Promise<{ readonly batch: Uint8Array; readonly rowCount: number; readonly tally: Tally }> {
  const ranges = rangesOf(offset, limit);
  if (known === undefined || learn !== undefined || ranges.length > SEARCHES_PER_REQUEST) {
    const found = await findRange(client, question, offset, limit, signal);
    learn?.(found.documents);
    return batchOf(found, known);
  }
  const answer = await client.searchRows(searchesOf(question, ranges), known, signal);
  const tally = new Tally(question.collection);
  if (!('batch' in answer)) return batchOf(take({ documents: [], marked: false, tally }, answer, ranges), known);
  const { batch, rowCount, results, hits } = answer;
  resultsOf({ results }, ranges.length).forEach((result, index) =>
    tally.add(result, () => hits[index] ?? 0, ranges[index]?.limit ?? 0),
  );
  return { batch, rowCount, tally };
}

function batchOf(
  { documents, marked, tally }: Found,
  known: readonly BatchColumn[] | undefined,
): { readonly batch: Uint8Array; readonly rowCount: number; readonly tally: Tally } {
  const columns = known ?? learnColumns(documents);
  const row = rowReader(columns);
  const batch = encodeBatch({ columns, rows: documents.map((document) => row(document, marked)) });
  return { batch, rowCount: documents.length, tally };
}

/** Documents read at once by {@link documentsByPage}: one request of ten searches. */
const DOCUMENTS_PER_STEP = 2_500;

/** Every document that a filter lets pass, page by page. */
export async function* documentsByPage(
  collection: string,
  filter: string | undefined,
  client: SearchClient,
  signal: AbortSignal,
): AsyncGenerator<{ readonly document: JsonObject; readonly marked: boolean }, void> {
  const question: Question = { collection, q: '*', ...(filter === undefined ? {} : { filter_by: filter }) };
  for (let offset = 0; ; offset += DOCUMENTS_PER_STEP) {
    const { documents, marked, tally } = await findRange(client, question, offset, DOCUMENTS_PER_STEP, signal);
    for (const document of documents) yield { document, marked };
    if (tally.short) return;
  }
}

function resultsOf(value: unknown, expected: number): unknown[] {
  const results = isObject(value) ? value['results'] : undefined;
  if (!Array.isArray(results) || results.length !== expected)
    throw badAnswer(SEARCH_REQUEST, 'it does not hold one result for each search');
  return results;
}

/** A search of several can fail alone, inside an answer of 200. */
function checked(value: unknown, collection: string): JsonObject {
  if (!isObject(value)) throw badAnswer(SEARCH_REQUEST, "a result isn't an object");
  const words = textOfField(value, 'error');
  if (words !== undefined) {
    const error = serverError(countOf(value, 'code') ?? 400, words, SEARCH_REQUEST);
    throw error.code === 'NOT_FOUND' ? noSuchCollection(collection, error) : error;
  }
  if (value['search_cutoff'] === true) {
    throw new DriverError('TIMEOUT', 'The server stopped the search because it took too long, so the result is incomplete.', {
      details: { request: SEARCH_REQUEST, advice: 'Narrow the filter, or raise the server’s search cut-off.' },
    });
  }
  return value;
}

function foundOf(result: JsonObject): number {
  const found = countOf(result, 'found');
  if (found === undefined) throw badAnswer(SEARCH_REQUEST, 'a result does not say how much was found');
  return found;
}

/** The documents of a search's hits. */
export function documentsOf(result: JsonObject): JsonObject[] {
  const hits = result['hits'];
  if (!Array.isArray(hits)) throw badAnswer(SEARCH_REQUEST, 'a result has no hits');
  return hits.map((hit: unknown) => {
    const document = isObject(hit) ? hit['document'] : undefined;
    if (!isObject(document)) throw badAnswer(SEARCH_REQUEST, 'a hit has no document');
    return document;
  });
}
