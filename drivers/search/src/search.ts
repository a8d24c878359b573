import { DriverError, encodeBatch } from '@tabularium/sdk';
import { badAnswer } from './client.ts';
import type { Search, SearchClient } from './client.ts';
import type { ExactJson } from './exactJson.ts';
import type { JsonObject } from './guards.ts';
import { countOf, isObject, textOfField } from './guards.ts';
import { learnColumns } from './learnedColumns.ts';
import { LIMITS, limitFor } from './limits.ts';
import type { PageColumn } from './pageColumns.ts';
import { PageSizes } from './pageSizes.ts';
import { pageRowReader } from './rowReader.ts';
import { noSuchCollection } from './schemas.ts';
import { serverError } from './serverErrors.ts';

const SEARCHES_PER_REQUEST = limitFor(LIMITS.searchesPerRequest);

const SEARCH_REQUEST = 'POST /multi_search';

/** The search of a whole collection, without its page. */
export interface Question {
  readonly collection: string;
  readonly q: '*';
  readonly filter_by?: string;
  readonly sort_by?: string;
  readonly exclude_fields?: string;
  readonly include_fields?: string;
}

export interface FoundBatch {
  readonly batch: Uint8Array;
  readonly rowCount: number;
  readonly tally: Tally;
}

interface Found {
  readonly documents: JsonObject[];
  readonly marked: boolean;
  readonly tally: Tally;
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

/** The first documents that a search finds, as many as one search may have. */
export function searchFirst(
  collection: string,
  search: object,
  client: SearchClient,
  signal: AbortSignal,
): Promise<{ readonly result: JsonObject; readonly asked: number }> {
  return client.withinHits(async () => {
    const asked = client.hitsPerSearch;
    const { result } = await searchOnce(collection, { ...search, limit: asked }, client, signal);
    return { result, asked };
  });
}

interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** The searches that find a range of documents. */
function rangesOf(offset: number, limit: number, hitsPerSearch: number): Range[] {
  const ranges: Range[] = [];
  for (let done = 0; done < limit; done += hitsPerSearch) {
    ranges.push({ offset: offset + done, limit: Math.min(hitsPerSearch, limit - done) });
  }
  return ranges;
}

/** The results of several searches, merged. */
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
function findRange(client: SearchClient, question: Question, offset: number, limit: number, signal: AbortSignal): Promise<Found> {
  return client.withinHits(() => findRanges(client, question, rangesOf(offset, limit, client.hitsPerSearch), signal));
}

async function findRanges(client: SearchClient, question: Question, all: readonly Range[], signal: AbortSignal): Promise<Found> {
  let found: Found = { documents: [], marked: false, tally: new Tally(question.collection) };
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

/** The columns of a page, and who learns from its documents. */
interface ReadColumns {
  /** Undefined: the columns are those of the documents. */
  readonly known: readonly PageColumn[] | undefined;
  /** Given where the schema is hidden, to see fields that are not known. */
  readonly learn: ((documents: readonly JsonObject[]) => void) | undefined;
}

/**
 * Reads documents as the rows of a batch: straight from the answer, where the columns are known before and one request is enough.
 */
export function findBatch(
  client: SearchClient,
  question: Question,
  range: Range,
  columns: ReadColumns,
  signal: AbortSignal,
): Promise<FoundBatch> {
  return client.withinHits(() => findBatchOnce(client, question, range, columns, signal));
}

async function findBatchOnce(
  client: SearchClient,
  question: Question,
  { offset, limit }: Range,
  { known, learn }: ReadColumns,
  signal: AbortSignal,
): Promise<FoundBatch> {
  const ranges = rangesOf(offset, limit, client.hitsPerSearch);
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

function batchOf({ documents, marked, tally }: Found, known: readonly PageColumn[] | undefined): FoundBatch {
  const columns: readonly PageColumn[] = known ?? learnColumns(documents);
  const row = pageRowReader(columns);
  const named = columns.map(({ name, kind }) => ({ name, kind }));
  const batch = encodeBatch({ columns: named, rows: documents.map((document) => row(document, marked)) });
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
  const sizes = new PageSizes();
  for (let offset = 0; ;) {
    const read = (limit: number): Promise<Found> => findRange(client, question, offset, limit, signal);
    const { documents, marked, tally } = await sizes.read(collection, DOCUMENTS_PER_STEP, read, () => read(1));
    for (const document of documents) yield { document, marked };
    if (tally.short) return;
    offset += documents.length;
  }
}

function resultsOf(value: unknown, expected: number): unknown[] {
  const results = isObject(value) ? value['results'] : undefined;
  if (!Array.isArray(results) || results.length !== expected)
    throw badAnswer(SEARCH_REQUEST, 'it does not hold one result for each search');
  return results;
}

/** The text of 29.0 and later, and the one before. A missing synonym set is a 404 as well. */
const NO_COLLECTION = /^(?:Collection not found|Not found\.?)$/i;

/** A search of several can fail alone, inside an answer of 200. */
function checked(value: unknown, collection: string): JsonObject {
  if (!isObject(value)) throw badAnswer(SEARCH_REQUEST, "a result isn't an object");
  const words = textOfField(value, 'error');
  if (words !== undefined) {
    const error = serverError(countOf(value, 'code') ?? 400, words, SEARCH_REQUEST);
    throw NO_COLLECTION.test(words) ? noSuchCollection(collection, error) : error;
  }
  if (value['search_cutoff'] === true) {
    throw new DriverError('TIMEOUT', 'The server stopped the search because it took too long, so the result is incomplete.', {
      details: { request: SEARCH_REQUEST, advice: 'Narrow the filter, or raise the server’s search cut-off.' },
    });
  }
  return value;
}

/** How many documents a search found. */
export function foundOf(result: JsonObject): number {
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
