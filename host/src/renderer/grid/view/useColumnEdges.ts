import { useMemo, useState } from 'react';
import type { CSSProperties } from 'react';
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from '../model/gridColumns.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import { columnEdges } from '../model/gridWindow.ts';

const DIGIT_WIDTH = 7.2;
const NUMBER_PADDING = 18;
/** Row numbers have room for so many digits at least, so that nothing moves while a table grows as it is read. */
const FEWEST_DIGITS = 5;

export interface ColumnEdges {
  readonly edges: readonly number[];
  readonly placing: readonly CSSProperties[];
  readonly numberWidth: number;
  /** Draws a column at a width while the mouse resizes it; undefined when the mouse lets go. */
  readonly preview: (drawn: DrawnWidth | undefined) => void;
}

export interface DrawnWidth {
  readonly column: string;
  readonly width: number;
}

/** A width that a column may have. */
export function heldWidth(width: number): number {
  return Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, Math.round(width)));
}

/** The places of the columns, with their saved widths or as the mouse draws one of them now. */
export function useColumnEdges(columns: readonly GridColumn[], rowCount: number): ColumnEdges {
  const [drawn, preview] = useState<DrawnWidth>();
  const numberWidth = Math.ceil(Math.max(FEWEST_DIGITS, String(rowCount).length) * DIGIT_WIDTH + NUMBER_PADDING);
  const edges = useMemo(
    () =>
      columnEdges(
        columns.map(({ name, width }) => (name === drawn?.column ? drawn.width : width)),
        numberWidth,
      ),
    [columns, drawn, numberWidth],
  );
  const placing = useMemo(
    () => columns.map((_column, place) => ({ left: edges[place], width: (edges[place + 1] ?? 0) - (edges[place] ?? 0) })),
    [columns, edges],
  );
  return { edges, placing, numberWidth, preview };
}
