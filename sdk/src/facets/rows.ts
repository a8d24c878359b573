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
  /** Also wanted: each row as the database holds it, where that is more than its cells. A driver whose rows are their cells ignores it. */
  readonly documents?: true;
}

/** Rows that were read by their keys. `batch` is an encoded `RowBatch`: every value is whole. */
export interface ReadRows {
  /** At most as many as there were keys. */
  readonly rowCount: number;
  /**
   * Where the request asks for documents: the place in the batch of a column of the kind `json` that holds each row as the database returned it, a JSON
   * object with everything that cells leave out: nested objects, lists of objects, members that the structure does not name. Absent: a row is its cells.
   */
  readonly documents?: number;
  /** UTF-8, made by `encodeBatch`. In any order; a row that is gone is left out. */
  readonly batch: Uint8Array;
}

/** The facet of a session that reads single rows whole. With it, pages may have placeholders for long values (`PageRequest.placeholders`). */
export interface RowsFacet {
  /**
   * Reads rows by their keys, with the same cells that a page without placeholders has.
   *
   * Where a driver gives documents, `columns` may also name their members (`variants`, `seller.address`) that aren't columns: such a member is in the batch,
   * of the kind `json`, where one of the rows has it. Edits take assignments to them, whose values are tagged: `["json", "[…]"]`, or absent to
   * remove the member.
   *
   * @throws DriverError `TOO_LARGE` when the rows are too large for one answer (ask for fewer), `NOT_FOUND` for the table,
   *   `STRUCTURE_CHANGED`, `INVALID_INPUT` for a key that no row can have
   */
  read(request: RowsRequest, options: CallOptions): Promise<ReadRows>;
}
