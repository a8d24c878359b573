import { decodeBatch, decodePage } from '@tabularium/sdk';
import type { PageBatch, RowBatch } from '@tabularium/sdk';
import type { PageAnswerHead } from '../../common/api.ts';

/** One page as it arrived. */
export interface DecodedPage {
  readonly head: PageAnswerHead;
  readonly batch: PageBatch;
}

const LINE_FEED = 10;

function isHead(value: unknown): value is PageAnswerHead {
  return (
    typeof value === 'object' &&
    value !== null &&
    'rowCount' in value &&
    typeof value.rowCount === 'number' &&
    'atEnd' in value &&
    typeof value.atEnd === 'boolean' &&
    'droppedSorts' in value &&
    Array.isArray(value.droppedSorts) &&
    'milliseconds' in value &&
    typeof value.milliseconds === 'number'
  );
}

/**
 * The head and the rows of an answer. The rows are parsed here and nowhere before: one JSON.parse from the driver to the screen.
 *
 * @throws SyntaxError when the bytes aren't an answer
 */
export function parsePageAnswer(bytes: Uint8Array): DecodedPage {
  const end = endOfHead(bytes);
  const head: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end)));
  if (!isHead(head)) throw new SyntaxError('The head of the answer is not valid.');
  return { head, batch: decodePage(bytes.subarray(end + 1)) };
}

/** Rows that were read with their documents, and the place of these in the batch; undefined where the driver has none. */
export interface DecodedDocuments {
  readonly batch: RowBatch;
  readonly documents: number | undefined;
}

/** @throws SyntaxError for bytes that cannot be parsed */
export function parseDocumentsAnswer(bytes: Uint8Array): DecodedDocuments {
  const head: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, endOfHead(bytes))));
  const documents =
    typeof head === 'object' && head !== null && 'documents' in head && typeof head.documents === 'number'
      ? head.documents
      : undefined;
  return { batch: parseRowsAnswer(bytes), documents };
}

/** The rows that were read by their keys. @throws SyntaxError for bytes that cannot be parsed */
export function parseRowsAnswer(bytes: Uint8Array): RowBatch {
  return decodeBatch(bytes.subarray(endOfHead(bytes) + 1));
}

function endOfHead(bytes: Uint8Array): number {
  const end = bytes.indexOf(LINE_FEED);
  if (end === -1) throw new SyntaxError('The answer has no head.');
  return end;
}
