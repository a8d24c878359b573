import type { PagePosition, PageRequest, RowBatch, RowsRequest } from '@tabularium/sdk';
import { PAGE_PATH, ROWS_PATH } from '../../common/api.ts';
import { apiUrl } from './apiUrl.ts';
import { reportInDriverWords } from './driverTexts.ts';
import { hostFetch } from './hostLink/hostFetch.ts';
import { parseDocumentsAnswer, parsePageAnswer, parseRowsAnswer } from './decodedPage.ts';
import type { DecodedDocuments, DecodedPage } from './decodedPage.ts';
import { ReportedProblem, isReport } from './problem.ts';
import { noteAnswer, noteFailure } from './reachability.ts';

/** A question to one connection. */
interface Asked<Request> {
  readonly connectionId: string;
  readonly request: Request;
}

/** Reads one page of rows. @throws ReportedError with the host's report */
export async function readTablePage(input: Asked<PageRequest>, signal: AbortSignal): Promise<DecodedPage> {
  return parsePageAnswer(await bytesOf(PAGE_PATH, input, signal));
}

/** Reads rows by their keys, every value whole. @throws ReportedError with the host's report */
export async function readTableRows(input: Asked<RowsRequest>, signal: AbortSignal): Promise<RowBatch> {
  return parseRowsAnswer(await bytesOf(ROWS_PATH, input, signal));
}

/** The same with each row as the database returns it. @throws ReportedProblem, SyntaxError */
export async function readTableDocuments(input: Asked<RowsRequest>, signal: AbortSignal): Promise<DecodedDocuments> {
  return parseDocumentsAnswer(await bytesOf(ROWS_PATH, input, signal));
}

/**
 * Reads one page of rows. Where its rows are too large for one answer, what is missing is read behind it, so that every page but the last has
 * as many rows as were asked for. (Each further answer has a row at least, or is the end.)
 *
 * @throws ReportedError with the host's report
 */
export async function readFullPage(input: Asked<PageRequest>, signal: AbortSignal): Promise<DecodedPage> {
  const { connectionId, request } = input;
  let page = await readTablePage(input, signal);
  for (;;) {
    const { head, batch } = page;
    const position = positionBehind(request.position, page);
    const missing = request.limit - batch.rows.length;
    if (head.atEnd || missing <= 0 || position === undefined) return page;
    const next = await readTablePage({ connectionId, request: { ...request, position, limit: missing } }, signal);
    if (next.batch.rows.length === 0) return { ...page, head: { ...head, atEnd: next.head.atEnd } };
    page = joined(page, next);
  }
}

function positionBehind(position: PagePosition, { head, batch }: DecodedPage): PagePosition | undefined {
  if (head.nextCursor !== undefined) return { from: 'cursor', cursor: head.nextCursor };
  if (position.from === 'start') return { from: 'offset', offset: batch.rows.length };
  return position.from === 'offset' ? { from: 'offset', offset: position.offset + batch.rows.length } : undefined;
}

function joined(page: DecodedPage, next: DecodedPage): DecodedPage {
  const { columns } = page.batch;
  // The structure may have been read again between the two.
  const places = columns.map(({ name }) => next.batch.columns.findIndex((column) => column.name === name));
  const rows = next.batch.rows.map((row) => places.map((place) => row[place] ?? (place === -1 ? UNREAD : null)));
  const { nextCursor: _before, ...head } = page.head;
  return {
    head: {
      ...head,
      ...next.head,
      rowCount: page.batch.rows.length + rows.length,
      milliseconds: head.milliseconds + next.head.milliseconds,
    },
    batch: { columns, rows: [...page.batch.rows, ...rows] },
  };
}

const UNREAD = ['unread', {}] as const;

async function bytesOf(path: string, input: Asked<unknown>, signal: AbortSignal): Promise<Uint8Array> {
  const response = await hostFetch(apiUrl(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
    signal,
  });
  if (!response.ok) {
    const report: unknown = await response.json();
    if (isReport(report)) noteFailure(input.connectionId, report.code);
    if (isReport(report)) throw new ReportedProblem(reportInDriverWords(input.connectionId, report));
    throw new SyntaxError("The error isn't a report.");
  }
  noteAnswer(input.connectionId);
  return new Uint8Array(await response.arrayBuffer());
}
