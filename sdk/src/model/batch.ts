import type { PageBatch, RowBatch } from './page.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * A batch as bytes: one JSON text in UTF-8, an array of arrays, `{"columns":[…],"rows":[[…]]}`. It is encoded once, in the driver, and
 * parsed once, where it is shown. (Measured for 1,000 rows of 494 kB: columnar JSON isn't faster, and structured clone over Node's own
 * channel is slower.)
 */
export function encodeBatch(batch: PageBatch): Uint8Array {
  return encoder.encode(JSON.stringify(batch));
}

/**
 * The rows of an encoded batch.
 *
 * @throws SyntaxError when the bytes aren't a batch; a batch from a driver's process is not trusted, so its shape is checked
 */
export function decodeBatch(bytes: Uint8Array): RowBatch {
  // Without placeholders in the request there are none in the page.
  return decodePage(bytes) as RowBatch;
}

/**
 * The rows of a page whose request allows placeholders.
 *
 * @throws SyntaxError as {@link decodeBatch} does
 */
export function decodePage(bytes: Uint8Array): PageBatch {
  const value: unknown = JSON.parse(decoder.decode(bytes));
  if (!isBatch(value)) throw new SyntaxError("The bytes aren't a row batch.");
  return value;
}

function isBatch(value: unknown): value is PageBatch {
  if (typeof value !== 'object' || value === null || !('columns' in value) || !('rows' in value)) return false;
  const { columns, rows } = value;
  if (!Array.isArray(columns) || !Array.isArray(rows)) return false;
  const width = columns.length;
  return rows.every((row: unknown) => Array.isArray(row) && row.length === width);
}
