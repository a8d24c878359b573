import { DriverError } from '@tabularium/sdk';
import type { DriverTexts, ExportSplice, RowCount, SpliceSummary } from '@tabularium/sdk';
import { isObject, textOfField } from '../guards.ts';
import { requestLine, serverError, serverWords } from '../serverErrors.ts';
import { faultTexts } from '../faultTexts.ts';

/** A last line of this size was cut by the framing, and says nothing about the stream. */
const LAST_LINE_BYTES = 65_536 - 4;

const DIFFERS_ADVICE =
  'Export again. If the numbers differ again, the server’s index is inconsistent: import the documents from their source again, or keep the file and check it.';
const ADVICE = 'Export again; if it ends at the same place, look into the server’s log.';

/**
 * A stream that ended too early, or in something else than a document.
 *
 * @param texts - the translation of the message and of the advice
 */
export function notWhole(message: string, request: string, texts: DriverTexts): DriverError {
  return new DriverError('CONNECTION_LOST', message, { details: { request, advice: ADVICE, texts } });
}

/**
 * The verdict of a line about the stream that it ends: nothing for a document, an error for half of one or for a sentence of the server.
 *
 * @param needsId - whether every document must show its id
 */
export function lineFault(line: string, needsId: boolean, request: string): DriverError | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    if (line.startsWith('{'))
      return notWhole(
        'The export was cut off: its last line is only the beginning of a document.',
        request,
        faultTexts('fault.exportCut', {}, 'fault.exportAgain'),
      );
    return poisoned(line, request);
  }
  if (!isObject(value)) return poisoned(line, request);
  if (needsId && textOfField(value, 'id') === undefined) return poisoned(serverWords(line), request);
  return undefined;
}

function poisoned(words: string, request: string): DriverError {
  return new DriverError('SERVER_ERROR', `The server broke the export off with “${words.slice(0, 300)}”.`, {
    details: {
      request,
      serverMessage: words.slice(0, 2_000),
      advice: ADVICE,
      texts: faultTexts('fault.exportBroken', { words: words.slice(0, 300) }, 'fault.exportAgain'),
    },
  });
}

/**
 * Judges a spliced export.
 *
 * @param recount - how many documents there are now, asked only when the number of lines is not what was expected
 * @throws DriverError when the file is not whole
 */
export async function judgeSplice(
  { request, expected }: ExportSplice,
  { status, lines, lastLine }: SpliceSummary,
  recount: () => Promise<RowCount | undefined>,
): Promise<void> {
  const line = requestLine(request.method, request.path);
  if (status >= 300) throw serverError(status, serverWords(lastLine), line);
  const chooses = new URLSearchParams(request.path.split('?')[1] ?? '').get('include_fields');
  if (lines > 0 && Buffer.byteLength(lastLine) < LAST_LINE_BYTES) {
    const fault = lineFault(lastLine, chooses === null || chooses.split(',').includes('id'), line);
    if (fault !== undefined) throw fault;
  }
  await compareCount(lines, expected, recount, line);
}

/**
 * Documents may come and go while they are exported: a number between the counts before and after is right.
 *
 * @throws DriverError `ROWS_DIFFER` with both numbers: a server whose index is inconsistent counts otherwise than it exports, each time
 */
export async function compareCount(
  got: number,
  expected: RowCount | undefined,
  recount: () => Promise<RowCount | undefined>,
  request: string,
): Promise<void> {
  if (expected === undefined || got === expected.rows) return;
  const now = (await recount())?.rows ?? expected.rows;
  if (got >= Math.min(expected.rows, now) && got <= Math.max(expected.rows, now)) return;
  // Nothing that came is nothing to keep.
  if (got === 0)
    throw notWhole(
      `The export has no documents, and the server counts ${now}.`,
      request,
      faultTexts('fault.exportEmpty', { count: now }, 'fault.exportAgain'),
    );
  throw new DriverError('ROWS_DIFFER', `The server exported ${got} documents, and counts ${now}.`, {
    details: {
      request,
      rows: { got, counted: now },
      advice: DIFFERS_ADVICE,
      texts: faultTexts('fault.exportDiffers', { got, counted: now }, 'fault.exportDiffers.advice'),
    },
  });
}
