import type { PageCell } from '@tabularium/sdk';
import { MIN_COLUMN_WIDTH } from './gridColumns.ts';
import type { GridColumn } from './gridColumns.ts';
import { gridText } from './gridText.ts';
import type { GridRow } from './pageCache.ts';
import { textWidth } from './textWidth.ts';

/** Padding at both sides, the line between cells, and what rounding takes. */
const PADDING = 24;
/** The padding and room for the sort mark are beside the name. */
const HEADER_PADDING = 40;
const KEY_MARK = 16;
/** The arrow to the row that a value refers to. */
export const REFERENCE_MARK = 18;
/** A column that a person asks to fit may grow to this; one that fits itself at the start stays narrower. */
const WIDEST = 640;
/** A UUID shows whole. */
const WIDEST_AT_START = 320;
const NARROWEST_AT_START = 72;
/** Rows looked at for the widths at the start. */
const SAMPLE = 100;

/** The width at which a column's name and the given cells show whole. */
export function fittingWidth(column: GridColumn, cells: readonly PageCell[], widest = WIDEST): number {
  const mark = column.isKey ? KEY_MARK : 0;
  let width = Math.max(textWidth(column.name, 600) + mark, textWidth(column.type)) + HEADER_PADDING;
  const padding = PADDING + (column.refersTo === undefined ? 0 : REFERENCE_MARK);
  for (const cell of cells) width = Math.max(width, textWidth(gridText(cell, column).text) + padding);
  return Math.ceil(Math.min(widest, Math.max(MIN_COLUMN_WIDTH, width)));
}

/** The columns with widths that suit the first rows. */
export function fitted(columns: readonly GridColumn[], rows: readonly GridRow[]): readonly GridColumn[] {
  const sample = rows.slice(0, SAMPLE);
  return columns.map((column) => {
    const cells = sample.map((row) => row[column.source] ?? null);
    return { ...column, width: Math.max(NARROWEST_AT_START, fittingWidth(column, cells, WIDEST_AT_START)) };
  });
}
