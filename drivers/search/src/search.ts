import { DriverError, encodeBatch } from '@tabularium/sdk';
import { badAnswer } from './client.ts';
import type { Search, SearchClient } from './client.ts';
import { checkPlace, checkSize, embeddedGroups, embeddedTooLarge } from './embeddedLimits.ts';
import { TOO_MANY_HITS } from './errorRules/searchRules.ts';
import type { ExactJson } from './exactJson.ts';
import type { JsonObject } from './guards.ts';
import { countOf, isObject, textOfField } from './guards.ts';
import { learnColumns } from './learnedColumns.ts';
import type { PageColumn } from './pageColumns.ts';
import { PageSizes } from './pageSizes.ts';
import { pageRowReader } from './rowReader.ts';
import type { SearchLimits } from './searchLimits.ts';
import { noSuchCollection } from './schemas.ts';
import { serverError } from './serverErrors.ts';
import { faultTexts } from './faultTexts.ts';

export const SEARCH_REQUEST = 'POST /multi_search';

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

/** A search for the first documents, or with a limit of 0 for counts alone. */
interface OneSearch {
  readonly q: '*';
  readonly limit: number;
  readonly [parameter: string]: unknown;
}

/** One search of a collection, in a request of its own. */
export async function searchOnce(
  collection: string,
  search: OneSearch,
  client: SearchClient,
  signal: AbortSignal,
): Promise<{ readonly result: JsonObject; readonly marked: boolean }> {
  const { limit, ...rest } = search;
  // Of every version it is known that it takes 0 in per_page.
  const { value, marked } = await client.search(
    [{ collection, ...rest, ...(limit === 0 ? { per_page: 0 } : { limit }) }],
    signal,
  );
  const [found] = resultsOf(value, 1);
  const result = checked(found, collection, limit);
  if (limit > 0) checkPlace(result, 0);
  return { result, marked };
}

/** The first documents that a search finds, as many as one search may have. */
export function searchFirst(
  collection: string,
  search: Omit<OneSearch, 'limit'>,
  client: SearchClient,
  signal: AbortSignal,
): Promise<{ readonly result: JsonObject; readonly asked: number }> {
  return client.withinLimits(async ({ hits: asked }) => {
    const { result } = await searchOnce(collection, { ...search, q: '*', limit: asked }, client, signal);
    checkSize(result, asked);
    return { result, asked };
  });
}

interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** The searches that find a range of documents; the last goes beyond it where each gives a fixed number of hits. */
export function rangesOf({ offset, limit }: Range, { hits, isFixed }: SearchLimits): Range[] {
  const ranges: Range[] = [];
  for (let done = 0; done < limit; done += hits) {
    ranges.push({ offset: offset + done, limit: isFixed ? hits : Math.min(hits, limit - done) });
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
   * @param range - what was asked for
   * @throws EmbeddedPageSize, and whatever else a result says that has no documents
   */
  add(value: unknown, hitsOf: (result: JsonObject) => number, { offset, limit }: Range): void {
    const result = checked(value, this.#collection, limit);
    checkPlace(result, offset);
    checkSize(result, limit);
    this.found = foundOf(result);
    this.milliseconds += countOf(result, 'search_time_ms') ?? 0;
    const hits = hitsOf(result);
    // After a short answer nothing may follow, or the page would have a gap.
    if (this.short && hits > 0) {
      throw new DriverError(
        'SERVER_ERROR',
        'The collection changed while the page was being read, or the server gave fewer documents than it has.',
        {
          details: {
            request: SEARCH_REQUEST,
            advice: 'Read the page again. If that fails too, use an API key without a per_page of its own.',
            texts: faultTexts('fault.pageChanged', {}, 'fault.pageChanged.advice'),
          },
        },
      );
    }
    this.short ||= hits < limit;
  }
}

/** Adds the documents of an answer to those found before. */
function take(found: Found, { value, marked }: ExactJson, ranges: readonly Range[]): Found {
  const { documents, tally } = found;
  const results = resultsOf(value, ranges.length);
  ranges.forEach((range, index) => {
    const hitsOf = (checkedResult: JsonObject): number => {
      const hits = documentsOf(checkedResult);
      documents.push(...hits);
      return hits.length;
    };
    tally.add(results[index], hitsOf, range);
  });
  return { documents, tally, marked: found.marked || marked };
}

/** Reads documents in as few requests as the server allows. */
function findRange(client: SearchClient, question: Question, range: Range, signal: AbortSignal): Promise<Found> {
  return client.withinLimits((limits) => findRanges(client, question, range, limits, signal));
}

async function findRanges(
  client: SearchClient,
  question: Question,
  range: Range,
  limits: SearchLimits,
  signal: AbortSignal,
): Promise<Found> {
  const all = rangesOf(range, limits);
  let found: Found = { documents: [], marked: false, tally: new Tally(question.collection) };
  for (let done = 0; done < all.length && !found.tally.short; done += limits.searches) {
    const ranges = all.slice(done, done + limits.searches);
    const answer = await client.search(searchesOf(question, ranges), signal);
    found = take(found, answer, ranges);
  }
  const { documents, tally } = found;
  if (documents.length <= range.limit) return found;
  // The documents beyond the range show that it has not reached the end.
  tally.short = false;
  return { ...found, documents: documents.slice(0, range.limit) };
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
  return client.withinLimits((limits) => findBatchOnce(client, question, range, columns, { limits, signal }));
}

async function findBatchOnce(
  client: SearchClient,
  question: Question,
  range: Range,
  { known, learn }: ReadColumns,
  { limits, signal }: { readonly limits: SearchLimits; readonly signal: AbortSignal },
): Promise<FoundBatch> {
  const ranges = rangesOf(range, limits);
  if (known === undefined || learn !== undefined || limits.isFixed || ranges.length > limits.searches) {
    const found = await findRanges(client, question, range, limits, signal);
    learn?.(found.documents);
    return batchOf(found, known);
  }
  const answer = await client.searchRows(searchesOf(question, ranges), known, signal);
  const tally = new Tally(question.collection);
  if (!('batch' in answer)) return batchOf(take({ documents: [], marked: false, tally }, answer, ranges), known);
  const { batch, rowCount, results, hits } = answer;
  const whole = resultsOf({ results }, ranges.length);
  ranges.forEach((one, index) => {
    tally.add(whole[index], () => hits[index] ?? 0, one);
  });
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
    const read = (limit: number): Promise<Found> => findRange(client, question, { offset, limit }, signal);
    const { documents, marked, tally } = await sizes.read(collection, DOCUMENTS_PER_STEP, read, () => read(1));
    for (const document of documents) yield { document, marked };
    if (tally.short) return;
    offset += documents.length;
  }
}

/** The results of an answer, one for each search. */
export function resultsOf(value: unknown, expected: number): unknown[] {
  const results = isObject(value) ? value['results'] : undefined;
  if (!Array.isArray(results) || results.length !== expected)
    throw badAnswer(SEARCH_REQUEST, 'it does not hold one result for each search');
  return results;
}

/** The text of 29.0 and later, and the one before. A missing synonym set is a 404 as well. */
const NO_COLLECTION = /^(?:Collection not found|Not found\.?)$/i;

/**
 * A search of several can fail alone, inside an answer of 200.
 *
 * @param asked - how many hits it asked for
 */
export function successOf(value: unknown, collection: string, asked: number): JsonObject {
  if (!isObject(value)) throw badAnswer(SEARCH_REQUEST, "a result isn't an object");
  const words = textOfField(value, 'error');
  if (words !== undefined) {
    const error = serverError(countOf(value, 'code') ?? 400, words, SEARCH_REQUEST);
    const most = Number(TOO_MANY_HITS.exec(words)?.[1]);
    if (asked <= most) throw embeddedTooLarge(most, error);
    throw NO_COLLECTION.test(words) ? noSuchCollection(collection, error) : error;
  }
  return value;
}

/** The same where a part of what was found is not enough. */
function checked(value: unknown, collection: string, asked: number): JsonObject {
  const result = successOf(value, collection, asked);
  if (result['search_cutoff'] === true) {
    throw new DriverError('TIMEOUT', 'The server stopped the search because it took too long, so the result is incomplete.', {
      details: {
        request: SEARCH_REQUEST,
        advice: 'Narrow the filter, or raise the server’s search cut-off.',
        texts: faultTexts('fault.cutOff', {}, 'fault.cutOff.advice'),
      },
    });
  }
  return result;
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
  if (Array.isArray(result['grouped_hits'])) throw embeddedGroups();
  if (!Array.isArray(hits)) throw badAnswer(SEARCH_REQUEST, 'a result has no hits');
  return hits.map((hit: unknown) => {
    const document = isObject(hit) ? hit['document'] : undefined;
    if (!isObject(document)) throw badAnswer(SEARCH_REQUEST, 'a hit has no document');
    return document;
  });
}
