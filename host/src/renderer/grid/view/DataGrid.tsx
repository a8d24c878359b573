import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { HEADER_ROW } from '../model/navigation.ts';
import type { CellPosition } from '../model/navigation.ts';
import { isMultiple, selectedInRow } from '../model/selection.ts';
import styles from './grid.module.css';
import { GridBody } from './GridBody.tsx';
import type { GridFrame } from './gridFrame.ts';
import { GridHeader } from './GridHeader.tsx';
import type { GridHeaderProps } from './GridHeader.tsx';
import { gridKeys } from './gridKeys.ts';
import { gridMenus } from './gridMenus.ts';
import type { DataGridProps } from './gridProps.ts';
import { heldWidth, useColumnEdges } from './useColumnEdges.ts';
import { useGridHandle } from './useGridHandle.ts';
import { hitOf, useGridPointer } from './useGridPointer.ts';
import { useGridScroll } from './useGridScroll.ts';

const HEADER_HEIGHT = 40;

/** Whether a press is on the arrow to the row that a cell refers to. */
const isOnArrow = (event: MouseEvent): boolean =>
  event.target instanceof Element && event.target.closest('[data-follow]') !== null;

/** A grid of real elements over any number of rows, of which only those on the screen exist. */
export function DataGrid(props: DataGridProps): ReactNode {
  const { rows, selection, commands } = props;
  const { columns, frozen } = props.columns;
  const { active } = selection;
  const activeId = useId();
  const { edges, placing, numberWidth, preview } = useColumnEdges(columns, rows.count);
  const scroll = useGridScroll({ rowCount: rows.count, rowHeight: rows.height, headerHeight: HEADER_HEIGHT, edges, frozen });
  const { scroller, visible, rows: drawn, showRow, showColumn } = scroll;
  const { first: firstColumn, last: lastColumn } = scroll.columns;
  const frame = useMemo(
    (): GridFrame => ({ columns, edges, placing, frozen, firstColumn, lastColumn, numberWidth, activeId }),
    [columns, edges, placing, frozen, firstColumn, lastColumn, numberWidth, activeId],
  );

  const { onVisible } = rows;
  useEffect(() => {
    if (visible.last >= visible.first) onVisible(visible.first, visible.last);
  }, [visible.first, visible.last, onVisible]);

  const show = useCallback(
    (position: CellPosition): void => {
      if (position.row !== HEADER_ROW) showRow(position.row, 'nearest');
      showColumn(position.column);
    },
    [showRow, showColumn],
  );

  // For handlers that stay the same, so that the header renders only when it looks different.
  const latest = useRef({ props, drawn });
  useLayoutEffect(() => {
    latest.current = { props, drawn };
  });
  const { fit, placeOfActive } = useGridHandle({ handle: props.handle, scroller, activeId, latest, showRow, show });

  const headerActions = useMemo((): GridHeaderProps['actions'] => {
    const now = (): DataGridProps => latest.current.props;
    return {
      onSort: (column, additive) => now().commands.sort(column, additive),
      onSelect: (place, mode) => {
        scroller.current?.focus();
        now().selection.column(place, mode);
      },
      onSelectAll: () => {
        scroller.current?.focus();
        now().selection.all();
      },
      onMenu: (place, at) => now().commands.openColumnMenu(place, at),
      onResize: (column, width, isDone) => {
        preview(isDone ? undefined : { column, width: heldWidth(width) });
        if (isDone) now().commands.setWidths({ [column]: heldWidth(width) });
      },
      onFit: fit,
      onMove: (column, to) => now().commands.moveColumn(column, to),
    };
  }, [fit, preview, scroller]);

  const { onMenuKey, onContextMenu } = gridMenus({ selection, commands, placeOfActive });
  const onKeyDown = gridKeys({
    frame,
    size: { rows: rows.count, columns: columns.length, screenRows: scroll.screenRows },
    firstVisible: visible.first,
    selection,
    show,
    commands,
    onMenuKey,
    onResize: (column, width) => commands.setWidths({ [column]: heldWidth(width) }),
  });
  const onMouseDown = useGridPointer({
    scroller,
    headerHeight: HEADER_HEIGHT,
    rowHeight: rows.height,
    selection,
    cellAt: scroll.cellAt,
    show,
  });
  const onFocus = (): void => {
    // Only when the keyboard brought the focus: a click chooses its own cell.
    if (active === undefined && scroller.current?.matches(':focus-visible') === true && rows.count > 0) {
      selection.cell({ row: Math.max(0, visible.first), column: 0 });
    }
  };

  const ranges = selection.selection !== undefined && isMultiple(selection.selection) ? selection.selection.ranges : undefined;
  const wholeColumns = ranges?.filter(({ bottom }) => bottom === Number.POSITIVE_INFINITY);
  const activeIsDrawn =
    active !== undefined &&
    (active.row === HEADER_ROW || (active.row >= drawn.first && active.row <= drawn.last)) &&
    (active.column < frozen || (active.column >= firstColumn && active.column <= lastColumn));
  const before = useRef({ width: 0, isDrawn: false });
  useLayoutEffect(() => {
    const { width, isDrawn } = before.current;
    before.current = { width: scroll.width, isDrawn: activeIsDrawn };
    // The inspector that opens beside the grid takes room from it: the cell that it is about stays on the screen.
    if (active !== undefined && isDrawn && scroll.width < width) queueMicrotask(() => showColumn(active.column));
  }, [scroll.width, activeIsDrawn, active, showColumn]);
  return (
    <div
      className={styles.frame}
      data-tour="grid"
      data-waiting={!rows.isReady || undefined}
      data-slow={rows.showsWaiting || undefined}
    >
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows.count + 1}
        aria-colcount={columns.length + 1}
        aria-readonly={rows.isReadOnly}
        aria-multiselectable
        aria-activedescendant={activeIsDrawn ? activeId : undefined}
        tabIndex={0}
        onScroll={scroll.onScroll}
        onKeyDown={onKeyDown}
        onMouseDown={onMouseDown}
        onClick={(event) => {
          const hit = isOnArrow(event) ? hitOf(event) : undefined;
          if (hit !== undefined) commands.follow(hit.position);
        }}
        onDoubleClick={(event) => {
          const hit = isOnArrow(event) ? undefined : hitOf(event);
          if (hit !== undefined && !hit.isNumber) commands.open(hit.position);
        }}
        onContextMenu={onContextMenu}
        onFocus={onFocus}
      >
        <div role="presentation" className={styles.content} style={{ width: edges.at(-1) ?? 0, height: scroll.scrollHeight }}>
          <GridHeader
            frame={frame}
            sorting={props.sorting}
            activeColumn={active?.row === HEADER_ROW ? active.column : undefined}
            selected={wholeColumns === undefined ? undefined : selectedInRow(wholeColumns, 0)}
            actions={headerActions}
          />
          <GridBody rows={rows} frame={frame} window={scroll} selection={selection} editors={props.editors} />
        </div>
      </div>
      {props.children}
    </div>
  );
}
