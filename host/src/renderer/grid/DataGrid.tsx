import type { Cell, Sort } from '@tabularium/sdk';
import { useCallback, useEffect, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode, Ref } from 'react';
import type { RowMarks } from '../editing/stagedRows.ts';
import { fittingWidth } from './fit.ts';
import styles from './grid.module.css';
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from './gridColumns.ts';
import type { GridColumn } from './gridColumns.ts';
import { GridHeader } from './GridHeader.tsx';
import { GridRowView } from './GridRowView.tsx';
import { columnEdges } from './gridWindow.ts';
import { HEADER_ROW, moveBy } from './navigation.ts';
import type { CellPosition } from './navigation.ts';
import type { GridRow } from './pageCache.ts';
import { useGridScroll } from './useGridScroll.ts';

export interface GridHandle {
  /** Brings a row to the top of the viewport. */
  readonly scrollToRow: (row: number) => void;
  readonly focus: () => void;
  /** Makes a cell the active one and brings it into sight. */
  readonly goTo: (position: CellPosition) => void;
}

export interface DataGridProps {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly frozen: number;
  /** While false the grid takes its place but is not drawn. */
  readonly isReady: boolean;
  /** Whether rows that are not here yet show so: not within the first moment. */
  readonly showsWaiting: boolean;
  readonly rowCount: number;
  readonly rowHeight: number;
  readonly sorts: readonly Sort[];
  readonly maxSorts: number;
  readonly active: CellPosition | undefined;
  readonly handle: Ref<GridHandle>;
  /** Undefined while the row is being read. */
  readonly row: (index: number) => GridRow | undefined;
  readonly onActive: (position: CellPosition) => void;
  readonly onSort: (column: string, additive: boolean) => void;
  /** The rows on the screen, the first and the last. */
  readonly onVisible: (first: number, last: number) => void;
  /** What is staged for a row. */
  readonly marks: (index: number) => RowMarks | undefined;
  /** The editor of a cell; `opensUp` where there is more room above. */
  readonly editing:
    | { readonly position: CellPosition; readonly element: (opensUp: boolean) => ReactNode; readonly onLost: () => void }
    | undefined;
  readonly isReadOnly: boolean;
  /** Enter or a double click on a cell. */
  readonly onOpen: (position: CellPosition) => void;
  /** A right click on a cell, or the menu key. */
  readonly onMenu: (position: CellPosition, place: { readonly x: number; readonly y: number }) => void;
  readonly onCopy: (position: CellPosition) => void;
  /** Stands over the rows: an empty state or an error. */
  readonly children?: ReactNode;
}

const HEADER_HEIGHT = 40;
const RESIZE_STEP = 16;

/** A grid of real elements over any number of rows, of which only those on the screen exist. */
export function DataGrid(props: DataGridProps): ReactNode {
  const { label, columns, frozen, rowCount, rowHeight, sorts, maxSorts, active, handle, onActive, onSort, onVisible } = props;
  const activeId = useId();
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map());
  const edges = useMemo(() => columnEdges(columns.map((column) => widths.get(column.name) ?? column.width)), [columns, widths]);
  const totalWidth = edges.at(-1) ?? 0;
  const placing = useMemo(
    () => columns.map((_column, place) => ({ left: edges[place], width: (edges[place + 1] ?? 0) - (edges[place] ?? 0) })),
    [columns, edges],
  );
  const scroll = useGridScroll({ rowCount, rowHeight, headerHeight: HEADER_HEIGHT, edges, frozen });
  const { scroller, layer, visible, rows, showRow, showColumn } = scroll;

  useEffect(() => {
    if (visible.last >= visible.first) onVisible(visible.first, visible.last);
  }, [visible.first, visible.last, onVisible]);

  useImperativeHandle(
    handle,
    () => ({
      scrollToRow: (row) => showRow(row, 'top'),
      focus: () => scroller.current?.focus(),
      goTo: (position) => {
        onActive(position);
        if (position.row !== HEADER_ROW) showRow(position.row, 'nearest');
        showColumn(position.column);
      },
    }),
    [showRow, showColumn, onActive, scroller],
  );

  const resize = useCallback((column: string, width: number): void => {
    setWidths((before) => new Map(before).set(column, width));
  }, []);

  // For a handler that stays the same, so that the header renders only when it looks different.
  const latest = useRef({ columns, rows, row: props.row });
  useLayoutEffect(() => {
    latest.current = { columns, rows, row: props.row };
  });
  const fit = useCallback(
    (name: string): void => {
      const now = latest.current;
      const place = now.columns.findIndex((column) => column.name === name);
      const column = now.columns[place];
      if (column === undefined) return;
      const cells: Cell[] = [];
      for (let index = now.rows.first; index <= now.rows.last; index += 1) {
        const row = now.row(index);
        if (row !== undefined) cells.push(row[place] ?? null);
      }
      resize(name, fittingWidth(column, cells));
    },
    [resize],
  );

  const goTo = (position: CellPosition): void => {
    onActive(position);
    if (position.row !== HEADER_ROW) showRow(position.row, 'nearest');
    showColumn(position.column);
  };

  const onHeaderKey = (event: KeyboardEvent, column: GridColumn, place: number): boolean => {
    if (event.key === 'Enter' || event.key === ' ') {
      if (column.sortable.allowed) onSort(column.name, event.shiftKey);
      return true;
    }
    if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      const width = (edges[place + 1] ?? 0) - (edges[place] ?? 0) + (event.key === 'ArrowRight' ? RESIZE_STEP : -RESIZE_STEP);
      resize(column.name, Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)));
      return true;
    }
    return false;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (columns.length === 0) return;
    const from = active ?? { row: Math.max(0, visible.first), column: 0 };
    const command = event.ctrlKey || event.metaKey;
    const column = columns[from.column];
    if (from.row === HEADER_ROW && column !== undefined && onHeaderKey(event, column, from.column)) {
      event.preventDefault();
      return;
    }
    if (event.altKey) return;
    const to = moveBy(
      from,
      { key: event.key, command },
      { rows: rowCount, columns: columns.length, screenRows: scroll.screenRows },
    );
    if (to !== undefined) {
      event.preventDefault();
      goTo(to);
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      props.onOpen(active);
    } else if (command && event.key.toLowerCase() === 'c' && active !== undefined && active.row !== HEADER_ROW) {
      event.preventDefault();
      props.onCopy(active);
    }
  };

  const positionAt = (event: MouseEvent): CellPosition | undefined => {
    if (!(event.target instanceof Element)) return undefined;
    const cell = event.target.closest('[data-column]');
    const row = event.target.closest('[data-row]');
    if (cell === null || row === null) return undefined;
    return { row: Number(row.getAttribute('data-row')), column: Number(cell.getAttribute('data-column')) };
  };

  const onMouseDown = (event: MouseEvent): void => {
    const position = positionAt(event);
    if (position !== undefined && event.button === 0) goTo(position);
  };

  const onContextMenu = (event: MouseEvent): void => {
    const at = positionAt(event);
    // The menu key is aimed at the grid itself: the menu opens at the active cell.
    const position = at ?? (event.target === scroller.current ? active : undefined);
    if (position === undefined || position.row === HEADER_ROW) return;
    event.preventDefault();
    if (at !== undefined) {
      goTo(at);
      props.onMenu(at, { x: event.clientX, y: event.clientY });
      return;
    }
    const box = document.getElementById(activeId)?.getBoundingClientRect();
    props.onMenu(position, { x: box?.left ?? event.clientX, y: box?.bottom ?? event.clientY });
  };

  // An editor whose row leaves the screen loses its element, and with it what tells of the end.
  const { editing } = props;
  const editedRow = editing?.position.row;
  const isLost = editedRow !== undefined && (editedRow < rows.first || editedRow > rows.last);
  const onLost = editing?.onLost;
  useEffect(() => {
    if (isLost) onLost?.();
  }, [isLost, onLost]);

  const onFocus = (): void => {
    // Only when the keyboard brought the focus: a click chooses its own cell.
    if (active === undefined && scroller.current?.matches(':focus-visible') === true && rowCount > 0) {
      onActive({ row: Math.max(0, visible.first), column: 0 });
    }
  };

  const poolSize = scroll.screenRows + 16;
  const drawnRows: ReactNode[] = [];
  for (let index = Math.max(0, rows.first); index <= rows.last; index += 1) {
    drawnRows.push(
      <GridRowView
        // Elements are used again for the rows that come in: the browser changes text instead of building rows.
        key={index % poolSize}
        index={index}
        cells={props.row(index)}
        top={(index - scroll.anchor) * rowHeight}
        columns={columns}
        placing={placing}
        frozen={frozen}
        firstColumn={scroll.columns.first}
        lastColumn={scroll.columns.last}
        activeId={activeId}
        activeColumn={active?.row === index ? active.column : undefined}
        marks={props.marks(index)}
        editor={
          editing?.position.row === index
            ? {
                column: editing.position.column,
                element: editing.element(index - visible.first > (visible.last - visible.first) / 2),
              }
            : undefined
        }
      />,
    );
  }

  const activeIsDrawn =
    active !== undefined && (active.row === HEADER_ROW || (active.row >= rows.first && active.row <= rows.last));
  return (
    <div className={styles.frame} data-waiting={!props.isReady || undefined} data-slow={props.showsWaiting || undefined}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={rowCount + 1}
        aria-colcount={columns.length}
        aria-readonly={props.isReadOnly || undefined}
        aria-activedescendant={activeIsDrawn ? activeId : undefined}
        tabIndex={0}
        onScroll={scroll.onScroll}
        onKeyDown={onKeyDown}
        onMouseDown={onMouseDown}
        onDoubleClick={(event) => {
          const position = positionAt(event);
          if (position !== undefined) props.onOpen(position);
        }}
        onContextMenu={onContextMenu}
        onFocus={onFocus}
      >
        <div role="presentation" className={styles.content} style={{ width: totalWidth, height: scroll.scrollHeight }}>
          <GridHeader
            activeId={activeId}
            columns={columns}
            edges={edges}
            frozen={frozen}
            firstColumn={scroll.columns.first}
            lastColumn={scroll.columns.last}
            sorts={sorts}
            maxSorts={maxSorts}
            activeColumn={active?.row === HEADER_ROW ? active.column : undefined}
            onSort={onSort}
            onResize={resize}
            onFit={fit}
          />
          <div role="rowgroup" className={styles.body} style={{ height: Math.min(scroll.bodyHeight, rowCount * rowHeight) }}>
            <div ref={layer} role="presentation" className={styles.layer}>
              {drawnRows}
            </div>
          </div>
        </div>
      </div>
      {props.children}
    </div>
  );
}
