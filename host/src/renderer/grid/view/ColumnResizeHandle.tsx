import { useRef } from 'react';
import type { PointerEvent, ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import styles from './grid.module.css';
import type { HeaderActions } from './headerActions.ts';

interface Props {
  readonly column: GridColumn;
  readonly width: number;
  readonly actions: HeaderActions;
}

/** The edge of a header that the mouse draws to make its column wider; a double click fits the column to its cells. */
export function ColumnResizeHandle({ column, width, actions }: Props): ReactNode {
  const start = useRef<{ readonly x: number; readonly width: number; last: number } | undefined>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width, last: width };
  };
  const onPointerMove = (event: PointerEvent<HTMLSpanElement>): void => {
    const from = start.current;
    if (from === undefined) return;
    from.last = from.width + event.clientX - from.x;
    actions.onResize(column.name, from.last, false);
  };
  const end = (): void => {
    const from = start.current;
    start.current = undefined;
    if (from !== undefined && from.last !== from.width) actions.onResize(column.name, from.last, true);
  };
  return (
    <span
      role="presentation"
      className={styles.resizeHandle}
      title={strings.grid.resize(column.name)}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => actions.onFit(column.name)}
    />
  );
}
