import type { CSSProperties } from 'react';
import type { GridColumn } from '../model/gridColumns.ts';

/**
 * Values that the header and all rows on the screen share: the columns and their places. One object for all of them that stays the same until
 * one of its parts changes, so that a row compares one reference instead of seven.
 */
export interface GridFrame {
  readonly columns: readonly GridColumn[];
  /** Where each column begins, and behind the last one where it ends. */
  readonly edges: readonly number[];
  /** Place and width of each column as styles. */
  readonly placing: readonly CSSProperties[];
  readonly frozen: number;
  /** The columns to draw beside the frozen ones. */
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** The width of the row numbers. */
  readonly numberWidth: number;
  /** The id of the active cell's element, which the grid names as its active descendant. */
  readonly activeId: string;
}
