import type { HttpRequest } from '../capabilities/http.ts';
import type { CallOptions } from '../callOptions.ts';
import type { Cell } from '../model/cell.ts';
import type { Filter } from '../model/filter.ts';
import type { BatchColumn } from '../model/page.ts';
import type { RowCount, TableRef } from '../model/table.ts';

/** Which rows and columns to export. */
export interface ExportRequest {
  readonly table: TableRef;
  /** Honoured whole or refused, as in a page. */
  readonly filter: Filter;
  /** In this order; absent: all columns, also those that the table's description does not name. */
  readonly columns?: readonly string[];
}

/** An answer that the host may stream to a file as it comes: one JSON document a line. */
export interface ExportSplice {
  /** Sent as it is; the host adds the credentials. */
  readonly request: Pick<HttpRequest, 'method' | 'path' | 'headers'>;
  /** How many lines there should be, when that can be known; compared at the end. */
  readonly expected?: RowCount;
}

/** The host's observations of a spliced export. */
export interface SpliceSummary {
  /** The HTTP status, 100 to 599. */
  readonly status: number;
  /** Lines that are not empty. */
  readonly lines: number;
  /** The last line that is not empty, at most 64 KiB of it, without its line feed. */
  readonly lastLine: string;
}

/** The events of an export by rows, in order: the columns once, then rows. Values are never shortened. */
export type ExportEvent =
  | { readonly type: 'begin'; readonly columns: readonly BatchColumn[]; readonly expected?: RowCount }
  | { readonly type: 'rows'; readonly rows: readonly (readonly Cell[])[] };

/** The facet of a session that reads a whole table, or what a filter lets pass, in one stream. */
export interface ExportFacet {
  /**
   * The fast way to a file of JSON lines, where the database has one that gives exactly what was asked for; undefined where it has none for
   * this request.
   *
   * @throws DriverError as `readPage` does for filters that cannot be sent
   */
  splice(request: ExportRequest, options: CallOptions): Promise<ExportSplice | undefined>;

  /**
   * Judges a spliced export at its end: a stream can be cut without an error, or end in an error sentence.
   *
   * @throws DriverError `CONNECTION_LOST` or `SERVER_ERROR` when the file is not whole; `ROWS_DIFFER` with `details.rows` when every line is a
   * document and only their number differs from the database's own count, so that a person may keep the file
   */
  judge(splice: ExportSplice, summary: SpliceSummary): void | Promise<void>;

  /**
   * The rows, in bounded memory; the host turns them into the file's format. In any order, each once, and no event larger than 16 MB as
   * JSON. Ending the iteration early stops the export; when cancelled it rejects, and never ends as if it were whole.
   *
   * @throws DriverError `CONNECTION_LOST` or `SERVER_ERROR` when the stream was cut or poisoned; `ROWS_DIFFER` with `details.rows`, after the last
   * row, when only the number of rows differs from the database's own count
   */
  rows(request: ExportRequest, options: CallOptions): AsyncIterable<ExportEvent>;
}
