import type { Cell } from '@tabularium/sdk';
import { shownText } from './cellText.ts';
import { MIN_COLUMN_WIDTH } from './gridColumns.ts';
import type { GridColumn } from './gridColumns.ts';

const FONT = '13px system-ui, sans-serif';
const PADDING = 22;
/** Room for the sort mark and the key beside the name. */
const HEADER_PADDING = 44;
const MOST = 640;

let context: CanvasRenderingContext2D | null | undefined;

function measure(text: string): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return text.length * 7.5;
  context.font = FONT;
  return context.measureText(text).width;
}

/** The width at which a column's name and the given cells show whole. */
export function fittingWidth(column: GridColumn, cells: readonly Cell[]): number {
  let widest = Math.max(measure(column.name), measure(column.type)) + HEADER_PADDING;
  for (const cell of cells) widest = Math.max(widest, measure(shownText(cell, column.kind).text) + PADDING);
  return Math.ceil(Math.min(MOST, Math.max(MIN_COLUMN_WIDTH, widest)));
}
