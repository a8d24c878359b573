import { useEffect, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { GridSelection } from '../model/gridSelection.ts';
import type { Span } from '../model/gridWindow.ts';
import styles from './grid.module.css';
import type { GridFrame } from './gridFrame.ts';
import type { GridRows, OpenEditor } from './gridProps.ts';
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
  readonly editor: OpenEditor | undefined;
}

/** More elements than fit on the screen, so that rows drawn beyond its edges have elements of their own. */
const POOL_ROWS = 16;

/** The rows that are drawn. */
export function GridBody({ rows, frame, window, selection, editor }: Props): ReactNode {
  const { visible, rows: span, anchor, screenRows, layer, bodyHeight } = window;

  // An editor whose row leaves the screen loses its element, and with it the event of its end.
  const editedRow = editor?.position.row;
  const isLost = editedRow !== undefined && (editedRow < span.first || editedRow > span.last);
  const onLost = editor?.onLost;
  useEffect(() => {
    if (isLost) onLost?.();
  }, [isLost, onLost]);

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
        editor={
          editor?.position.row === index ? { column: editor.position.column, element: editor.element(index > middle) } : undefined
        }
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
