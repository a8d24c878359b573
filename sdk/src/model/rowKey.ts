import type { Cell } from './cell.ts';

/** The values of a table's key columns for one row, in the order of {@link TableDescription.key}; never empty. */
export type RowKey = readonly Cell[];

/**
 * One text for one key, so that keys can be compared and used in maps. Different keys never share a text: `"1"`, `1` and `["number","1"]`
 * are three keys.
 */
export function rowKeyText(key: RowKey): string {
  return JSON.stringify(key);
}
