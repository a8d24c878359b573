import { DriverError } from '@tabularium/sdk';
import type { RowKey } from '@tabularium/sdk';

/**
 * The id of a document, from the key of its row. An empty one would make of one document's path the path of all of them.
 *
 * @throws DriverError `INVALID_INPUT`
 */
export function documentId([cell = null, ...more]: RowKey): string {
  const id = Array.isArray(cell) && cell[0] === 'text' ? (cell as readonly string[])[1] : cell;
  if (typeof id === 'string' && id !== '' && id.isWellFormed() && more.length === 0) return id;
  throw new DriverError('INVALID_INPUT', "The key of a document is its id, a string that isn't empty.", {
    details: { field: 'id', texts: { message: { id: 'value.key' } } },
  });
}
