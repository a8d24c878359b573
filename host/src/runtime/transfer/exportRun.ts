import type { BatchColumn, Cell, ExportFacet, ExportRequest, RowCount, RowsDifference, Session } from '@tabularium/sdk';
import { DriverError, isDriverError } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import type { CsvOptions, ExportFormat } from '../../common/transfer.ts';
import type { HttpBroker } from '../drivers/broker/httpBroker.ts';
import type { DocumentFormat } from './documentFormats.ts';
import { ArrayDocuments, LineDocuments } from './documentFormats.ts';
import type { ExportFile } from './exportFile.ts';
import type { RowFormat } from '../../common/rowFormats.ts';
import { rowFormat } from '../../common/rowFormats.ts';

/** A session whose driver may name a request that the host streams itself. */
export interface SplicingSession extends Session {
  readonly http?: Pick<HttpBroker, 'request'>;
}

/** The progress of an export: after every part that was written. */
export type OnWritten = (progress: {
  readonly rows: number;
  readonly bytes: number;
  readonly expected?: RowCount | undefined;
}) => void;

interface Output {
  readonly file: Pick<ExportFile, 'bytes' | 'write'>;
  readonly format: ExportFormat;
  readonly csv: CsvOptions;
  readonly signal: AbortSignal;
  readonly onWritten: OnWritten;
}

/** Bytes of a refusal that are read for the driver to judge. */
const LONGEST_REFUSAL = 64 * 1024;
const encoder = new TextEncoder();

/**
 * Writes what a request lets pass, the fast way where the driver has one, up to the end of its format; the caller finishes the file. One part is
 * in memory at a time: the server waits for the disk.
 *
 * @throws DriverError as the driver says, also when the stream was cut; after `ROWS_DIFFER` the format has its end as well
 * @throws HostError `FILE_UNWRITABLE`
 */
export async function runTableExport(
  session: SplicingSession,
  facet: ExportFacet,
  request: ExportRequest,
  output: Output,
): Promise<void> {
  const { format, signal } = output;
  const splice = format === 'csv' || session.http === undefined ? undefined : await facet.splice(request, { signal });
  if (splice === undefined || session.http === undefined) return exportEvents(facet, request, output);
  const { file, onWritten } = output;
  const documents: DocumentFormat = format === 'json' ? new ArrayDocuments() : new LineDocuments();
  const { status, body } = await session.http.request({ headers: {}, ...splice.request, repeatable: true, signal });
  if (status < 200 || status > 299) {
    await facet.judge(splice, { status, lines: 0, lastLine: await beginning(body) });
    throw new DriverError('SERVER_ERROR', `The server answered the export with status ${status}.`, {
      details: { status: String(status) },
    });
  }
  for await (const chunk of body) {
    await file.write(documents.feed(chunk));
    onWritten({ rows: documents.lines.lines, bytes: file.bytes, expected: splice.expected });
  }
  signal.throwIfAborted();
  await file.write(documents.end());
  const summary = documents.lines.end();
  onWritten({ rows: summary.lines, bytes: file.bytes, expected: splice.expected });
  await facet.judge(splice, { status, ...summary });
}

/** The two numbers of an error after which the file is whole but may not be what the person expects; undefined for every other error. */
export function rowsDifferenceOf(error: unknown, written: number): RowsDifference | undefined {
  if (!isDriverError(error) || error.code !== 'ROWS_DIFFER') return undefined;
  const { rows } = error.details;
  // Rows that were lost on the way from the driver have nothing to do with the database's count.
  return rows?.got === written ? rows : undefined;
}

/** Writes rows that are in memory already, up to the end of their format. */
export async function exportBatch(
  columns: readonly BatchColumn[],
  rows: readonly (readonly Cell[])[],
  output: Output,
): Promise<void> {
  const writer = new RowWriter(output, { rows: rows.length, exact: true });
  await writer.begin(columns);
  await writer.rows(rows);
  await writer.end();
}

async function exportEvents(facet: ExportFacet, request: ExportRequest, output: Output): Promise<void> {
  let writer: RowWriter | undefined;
  try {
    for await (const event of facet.rows(request, { signal: output.signal })) {
      if (event.type === 'begin') {
        if (writer !== undefined) throw new DriverError('DRIVER_FAULT', 'The driver began the export twice.');
        writer = new RowWriter(output, event.expected);
        await writer.begin(event.columns);
        continue;
      }
      if (writer === undefined) throw new DriverError('DRIVER_FAULT', 'The driver sent rows of an export before its columns.');
      await writer.rows(event.rows);
    }
  } catch (error) {
    if (writer !== undefined && isDriverError(error) && error.code === 'ROWS_DIFFER') await writer.end();
    throw error;
  }
  output.signal.throwIfAborted();
  if (writer === undefined) throw new DriverError('DRIVER_FAULT', 'The driver ended the export early and reported no error.');
  await writer.end();
}

class RowWriter {
  readonly #output: Output;
  readonly #format: RowFormat;
  readonly #expected: RowCount | undefined;
  #rows = 0;

  constructor(output: Output, expected: RowCount | undefined) {
    this.#output = output;
    this.#format = rowFormat(output.format, output.csv);
    this.#expected = expected;
  }

  async begin(columns: readonly BatchColumn[]): Promise<void> {
    await this.#write(this.#format.begin(columns));
  }

  async rows(rows: readonly (readonly Cell[])[]): Promise<void> {
    this.#output.signal.throwIfAborted();
    this.#rows += rows.length;
    await this.#write(this.#format.rows(rows));
  }

  async end(): Promise<void> {
    await this.#write(this.#format.end());
  }

  async #write(text: string): Promise<void> {
    await this.#output.file.write(encoder.encode(text));
    this.#output.onWritten({ rows: this.#rows, bytes: this.#output.file.bytes, expected: this.#expected });
  }
}

async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= LONGEST_REFUSAL) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, LONGEST_REFUSAL));
}

/** The same error, and what became of the unfinished file. */
export function withNotice(error: unknown, notice: string): Error {
  const message = (text: string): string => `${text} ${notice}`;
  if (error instanceof HostError)
    return new HostError(error.code, message(error.message), { details: error.details, cause: error });
  if (isDriverError(error)) return new DriverError(error.code, message(error.message), { details: error.details, cause: error });
  return error instanceof Error ? error : new Error("An export failed with a value that isn't an error.", { cause: error });
}
