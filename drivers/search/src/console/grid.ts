import type { ResultEvent } from '@tabularium/sdk';
import { stringifyExact } from '../exactJson.ts';
import type { ExactJson } from '../exactJson.ts';
import type { JsonObject } from '../guards.ts';
import { isObject } from '../guards.ts';
import { learnColumns } from '../learnedColumns.ts';
import { RowEventBatch, textFits, textMustFit } from '../rowEvents.ts';
import { rowReader } from '../rowReader.ts';
import { prettyJson } from './prettyJson.ts';
import { partsOf } from './searchParts.ts';

/** Counts of the shown rows, for the closing event. */
export interface Shown {
  readonly truncated: boolean;
  readonly affectedRows?: number;
  readonly whole?: string;
  readonly wholeLeftOut?: boolean;
  readonly label?: string;
}

/** The documents of an answer that is shown as a grid; undefined for one that is shown as JSON. */
function documentsIn(value: unknown): JsonObject[] | undefined {
  if (Array.isArray(value)) return value.every(isObject) ? value : undefined;
  if (!isObject(value)) return undefined;
  const results = value['results'];
  const answer: unknown = Array.isArray(results) && results.length === 1 ? results[0] : value;
  const hits = isObject(answer) ? answer['hits'] : undefined;
  if (!Array.isArray(hits)) return undefined;
  const documents = hits.map((hit: unknown) => (isObject(hit) ? hit['document'] : undefined));
  return documents.every(isObject) ? documents : undefined;
}

/** The caller's wishes beyond the documents. */
export interface ShowOptions {
  readonly maxRows: number;
  /** Whether the whole answer goes with its rows. */
  readonly whole: boolean;
  /** The status and the time in the closing event of every result. */
  readonly end: () => { readonly status: string; readonly milliseconds: number };
}

/**
 * A whole JSON answer: a grid where it is one, else indented JSON with every digit as the server sent it. With `whole`, the answer goes with
 * its rows, and the documents of several searches or of groups follow the JSON as results of their own.
 */
export function* showJson(
  text: string,
  { value, marked }: ExactJson,
  { maxRows, whole, end }: ShowOptions,
): Generator<ResultEvent, Shown> {
  const documents = documentsIn(value);
  if (documents !== undefined) {
    const truncated = yield* showDocuments(documents, marked, maxRows);
    return { truncated, ...(whole ? wholeOf(text) : {}) };
  }
  const pretty = prettyJson(text);
  textMustFit(pretty);
  yield { type: 'text', mediaType: 'application/json', text: pretty };
  let shown: Shown = { truncated: false, ...affectedBy(value) };
  for (const { label, documents: own } of whole ? partsOf(value) : []) {
    yield { type: 'done', ...shown, ...end() };
    shown = { truncated: yield* showDocuments(own, marked, maxRows), label };
  }
  return shown;
}

function* showDocuments(documents: readonly JsonObject[], marked: boolean, maxRows: number): Generator<ResultEvent, boolean> {
  const columns = learnColumns(documents);
  yield { type: 'rowsBegin', columns };
  const row = rowReader(columns);
  const shown = documents.slice(0, maxRows);
  const batch = new RowEventBatch();
  for (const document of shown) {
    const rows = batch.add(row(document, marked));
    if (rows !== undefined) yield { type: 'rows', rows };
  }
  const rest = batch.take();
  if (rest !== undefined) yield { type: 'rows', rows: rest };
  return documents.length > shown.length;
}

function wholeOf(text: string): Pick<Shown, 'whole' | 'wholeLeftOut'> {
  return textFits(text) ? { whole: text } : { wholeLeftOut: true };
}

/** How many documents a deletion or change by filter reached. */
function affectedBy(value: unknown): { affectedRows?: number } {
  if (!isObject(value)) return {};
  const count = value['num_deleted'] ?? value['num_updated'];
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? { affectedRows: count } : {};
}

/** The members of a document beyond the columns that are there already, as JSON; undefined when nothing. */
export function jsonOf(members: Map<string, unknown>, marked: boolean): string | undefined {
  return members.size === 0 ? undefined : stringifyExact(Object.fromEntries(members), marked);
}
