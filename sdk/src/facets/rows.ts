import type { CallOptions } from '../callOptions.ts';
import type { RowKey } from '../model/rowKey.ts';
import type { TableRef } from '../model/table.ts';

/** Which rows to read whole. */
export interface RowsRequest {
  /** One whose description has a key. */
  readonly table: TableRef;
  /** 1 to 100, each once. */
  readonly keys: readonly RowKey[];
  /** The columns whose values are wanted, those of the key among them; absent: all. Others may come all the same. */
  readonly columns?: readonly string[];
}

/** Rows that were read by their keys. `batch` is an encoded `RowBatch`: every value is whole. */
export interface ReadRows {
  /** At most as many as there were keys. */
  readonly rowCount: number;
  /** UTF-8, made by `encodeBatch`. In any order; a row that is gone is left out. */
  readonly batch: Uint8Array;
}

/** The facet of a session that reads single rows whole. With it, pages may have placeholders for long values (`PageRequest.placeholders`). */
export interface RowsFacet {
  /**
   * Reads rows by their keys, with the same cells that a page without placeholders has.
   *
   * @throws DriverError `TOO_LARGE` when the rows are too large for one answer (ask for fewer), `NOT_FOUND` for the table,
   *   `STRUCTURE_CHANGED`, `INVALID_INPUT` for a key that no row can have
   */
  read(request: RowsRequest, options: CallOptions): Promise<ReadRows>;
}
