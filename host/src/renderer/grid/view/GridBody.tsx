import { useEffect, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { GridSelection } from '../model/gridSelection.ts';
import type { Span } from '../model/gridWindow.ts';
import styles from './grid.module.css';
import type { GridFrame } from './gridFrame.ts';
import type { GridRows, OpenEditor } from './gridProps.ts';
import type { EditedCell } from './GridRowView.tsx';
import { GridRowView } from './GridRowView.tsx';
import { RowHighlighter } from './RowHighlighter.ts';

/** The part of the rows that is on the screen. */
export interface RowWindow {
  /** The rows to draw, some beyond the edges included. */
  readonly rows: Span;
  /** The rows that can be seen. */
  readonly visible: Span;
  /** Rows are placed relative to this one. */
  readonly anchor: number;
  /** How many rows fit on the screen. */
  readonly screenRows: number;
  /** Moves with scrolling, without a render. */
  readonly layer: RefObject<HTMLDivElement | null>;
  /** Pixels. */
  readonly bodyHeight: number;
}

interface Props {
  readonly rows: GridRows;
  readonly frame: GridFrame;
  readonly window: RowWindow;
  readonly selection: GridSelection;
  readonly editors: readonly OpenEditor[];
}

/** More elements than fit on the screen, so that rows drawn beyond its edges have elements of their own. */
const POOL_ROWS = 16;

const NO_EDITORS: readonly EditedCell[] = [];

/** The editors of a row; the same list for every row that has none, which then need not render. */
function editorsIn(editors: readonly OpenEditor[], row: number, opensUp: boolean): readonly EditedCell[] {
  const inRow = editors.filter(({ position }) => position.row === row);
  return inRow.length === 0
    ? NO_EDITORS
    : inRow.map(({ position, element }) => ({ column: position.column, element: element(opensUp) }));
}

/** The rows that are drawn. */
export function GridBody({ rows, frame, window, selection, editors }: Props): ReactNode {
  const { visible, rows: span, anchor, screenRows, layer, bodyHeight } = window;

  // An editor whose row leaves the screen loses its element, and with it the event of its end.
  const lost = editors.filter(({ position: { row } }) => row < span.first || row > span.last);
  useEffect(() => {
    for (const { onLost } of lost) onLost();
  });

  const [highlighter] = useState(() => new RowHighlighter());
  const highlightsOf = highlighter.of(selection, rows.found);
  const middle = visible.first + (visible.last - visible.first) / 2;
  const poolSize = screenRows + POOL_ROWS;
  const drawn: ReactNode[] = [];
  for (let index = Math.max(0, span.first); index <= span.last; index += 1) {
    drawn.push(
      <GridRowView
        // Elements are used again for the rows that come in: the browser changes text instead of building rows.
        key={index % poolSize}
        index={index}
        number={rows.numberOf(index)}
        top={(index - anchor) * rows.height}
        cells={rows.at(index)}
        marks={rows.marks(index)}
        highlights={highlightsOf(index)}
        editors={editors.length === 0 ? NO_EDITORS : editorsIn(editors, index, index > middle)}
        frame={frame}
      />,
    );
  }
  return (
    <div role="rowgroup" className={styles.body} style={{ height: Math.min(bodyHeight, rows.count * rows.height) }}>
      <div ref={layer} role="presentation" className={styles.layer}>
        {drawn}
      </div>
    </div>
  );
}
