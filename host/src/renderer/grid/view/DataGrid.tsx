import type { Sort } from '@tabularium/sdk';
import { useCallback, useEffect, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MouseEvent, ReactNode, Ref } from 'react';
import type { MenuPlace } from '../../ui/MenuList.tsx';
import type { RowMarks } from '../../editing/stagedRows.ts';
import { fittingWidth } from '../model/fit.ts';
import styles from './grid.module.css';
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from '../model/gridColumns.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import { GridHeader } from './GridHeader.tsx';
import { gridKeys } from './gridKeys.ts';
import { GridRowView } from './GridRowView.tsx';
import { columnEdges } from '../model/gridWindow.ts';
import type { HeaderActions } from './HeaderCell.tsx';
import { HEADER_ROW } from '../model/navigation.ts';
import type { CellPosition } from '../model/navigation.ts';
import type { GridRow } from '../model/pageCache.ts';
import { isMultiple, readSelected, selectedInRow } from '../model/selection.ts';
import { hitOf, useGridPointer } from './useGridPointer.ts';
import { useGridScroll } from './useGridScroll.ts';
import type { GridSelection } from './useGridSelection.ts';

export interface GridHandle {
  /** Brings a row to the top of the viewport. */
  readonly scrollToRow: (row: number) => void;
  readonly focus: () => void;
  /** Makes a cell the active one and brings it into sight. */
  readonly goTo: (position: CellPosition) => void;
  /** Makes columns as wide as what is on the screen needs; all of them where none is named. */
  readonly fit: (column?: string) => void;
  /** Where the active cell is on the screen: menus open there. */
  readonly placeOfActive: () => MenuPlace | undefined;
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
  readonly selection: GridSelection;
  readonly handle: Ref<GridHandle>;
  /** Undefined while the row is being read. */
  readonly row: (index: number) => GridRow | undefined;
  /** What stands at the left of a row. */
  readonly numberOf: (index: number) => string;
  readonly onSort: (column: string, additive: boolean) => void;
  /** The rows on the screen, the first and the last. */
  readonly onVisible: (first: number, last: number) => void;
  /** What is staged for a row. */
  readonly marks: (index: number) => RowMarks | undefined;
  /** Where something that is looked for was found, as `selectedInRow` writes columns. */
  readonly found: (index: number) => string | undefined;
  readonly foundNow: CellPosition | undefined;
  /** The editor of a cell; `opensUp` where there is more room above. */
  readonly editing:
    | { readonly position: CellPosition; readonly element: (opensUp: boolean) => ReactNode; readonly onLost: () => void }
    | undefined;
  readonly isReadOnly: boolean;
  /** Enter or a double click on a cell. */
  readonly onOpen: (position: CellPosition) => void;
  /** A right click on a cell, or the menu key. */
  readonly onMenu: (place: MenuPlace) => void;
  readonly onColumnMenu: (place: number, at: MenuPlace) => void;
  readonly onCopy: () => void;
  /** Ctrl+End. Whether that was taken care of. */
  readonly onEnd: (column: number) => boolean;
  readonly onWidths: (widths: Readonly<Record<string, number>>) => void;
  readonly onMoveColumn: (column: string, to: number) => void;
  /** Stands over the rows: an empty state or an error. */
  readonly children?: ReactNode;
}

const HEADER_HEIGHT = 40;
const DIGIT_WIDTH = 7.2;
const NUMBER_PADDING = 18;
/** Row numbers have room for so many digits at least, so that nothing moves while a table grows as it is read. */
const FEWEST_DIGITS = 5;

/** A grid of real elements over any number of rows, of which only those on the screen exist. */
export function DataGrid(props: DataGridProps): ReactNode {
  const { label, columns, frozen, rowCount, rowHeight, sorts, maxSorts, selection, handle, onSort, onVisible } = props;
  const { active } = selection;
  const activeId = useId();
  // The column that is being resized; its width is kept when the mouse lets go.
  const [drawn, setDrawn] = useState<{ readonly column: string; readonly width: number }>();
  const numberWidth = Math.ceil(Math.max(FEWEST_DIGITS, String(rowCount).length) * DIGIT_WIDTH + NUMBER_PADDING);
  const edges = useMemo(
    () =>
      columnEdges(
        columns.map(({ name, width }) => (name === drawn?.column ? drawn.width : width)),
        numberWidth,
      ),
    [columns, drawn, numberWidth],
  );
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

  const show = useCallback(
    (position: CellPosition): void => {
      if (position.row !== HEADER_ROW) showRow(position.row, 'nearest');
      showColumn(position.column);
    },
    [showRow, showColumn],
  );

  // For handlers that stay the same, so that the header renders only when it looks different.
  const latest = useRef({ props, rows });
  useLayoutEffect(() => {
    latest.current = { props, rows };
  });
  const fit = useCallback((name?: string): void => {
    const now = latest.current;
    const widths: [column: string, width: number][] = [];
    for (const column of now.props.columns) {
      if (name !== undefined && column.name !== name) continue;
      const cells = [];
      for (let index = now.rows.first; index <= now.rows.last; index += 1) {
        const row = now.props.row(index);
        if (row !== undefined) cells.push(row[column.source] ?? null);
      }
      widths.push([column.name, fittingWidth(column, cells)]);
    }
    now.props.onWidths(Object.fromEntries(widths));
  }, []);

  const placeOfActive = useCallback((): MenuPlace | undefined => {
    const box = document.getElementById(activeId)?.getBoundingClientRect();
    return box === undefined ? undefined : { x: box.left, y: box.bottom };
  }, [activeId]);

  useImperativeHandle(
    handle,
    () => ({
      scrollToRow: (row) => showRow(row, 'top'),
      focus: () => scroller.current?.focus(),
      goTo: (position) => {
        latest.current.props.selection.cell(position);
        show(position);
      },
      fit,
      placeOfActive,
    }),
    [showRow, show, scroller, fit, placeOfActive],
  );

  const setWidth = (column: string, width: number): void => {
    props.onWidths({ [column]: Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, Math.round(width))) });
  };
  const headerActions = useMemo(
    (): HeaderActions => ({
      onSort,
      onSelect: (place, mode) => {
        scroller.current?.focus();
        latest.current.props.selection.column(place, mode);
      },
      onMenu: (place, at) => latest.current.props.onColumnMenu(place, at),
      onResize: (column, width, isDone) => {
        const held = Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, Math.round(width)));
        setDrawn(isDone ? undefined : { column, width: held });
        if (isDone) latest.current.props.onWidths({ [column]: held });
      },
      onFit: fit,
      onMove: (column, to) => latest.current.props.onMoveColumn(column, to),
    }),
    [onSort, fit, scroller],
  );
  const selectAll = useCallback((): void => {
    scroller.current?.focus();
    latest.current.props.selection.all();
  }, [scroller]);

  const onMenuKey = (position: CellPosition): void => {
    const at = placeOfActive();
    if (at === undefined) return;
    if (position.row === HEADER_ROW) props.onColumnMenu(position.column, at);
    else props.onMenu(at);
  };
  const onKeyDown = gridKeys({
    columns,
    edges,
    frozen,
    size: { rows: rowCount, columns: columns.length, screenRows: scroll.screenRows },
    firstVisible: visible.first,
    selection,
    show,
    onOpen: props.onOpen,
    onCopy: props.onCopy,
    onEnd: props.onEnd,
    onMenuKey,
    onSort,
    onResize: setWidth,
    onMove: props.onMoveColumn,
  });

  const onMouseDown = useGridPointer({
    scroller,
    headerHeight: HEADER_HEIGHT,
    rowHeight,
    selection,
    cellAt: scroll.cellAt,
    show,
  });

  const onContextMenu = (event: MouseEvent): void => {
    const at = hitOf(event)?.position;
    // The menu key is aimed at the grid itself: the menu opens at the active cell.
    const position = at ?? (event.target === scroller.current ? active : undefined);
    if (position === undefined || position.row === HEADER_ROW) return;
    event.preventDefault();
    const isSelected =
      selection.selection !== undefined &&
      isMultiple(selection.selection) &&
      readSelected(selectedInRow(selection.selection.ranges, position.row)).some(
        ({ first, last }) => position.column >= first && position.column <= last,
      );
    if (at !== undefined && !isSelected) selection.cell(at);
    if (at === undefined) onMenuKey(position);
    else props.onMenu({ x: event.clientX, y: event.clientY });
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
      selection.cell({ row: Math.max(0, visible.first), column: 0 });
    }
  };

  // One cell is marked as the active one; a selection that is only that cell needs no second mark.
  const ranges = selection.selection !== undefined && isMultiple(selection.selection) ? selection.selection.ranges : undefined;
  const lead = ranges === undefined ? undefined : selection.selection?.lead;
  const wholeColumns = ranges?.filter(({ bottom }) => bottom === Number.POSITIVE_INFINITY);
  const poolSize = scroll.screenRows + 16;
  const drawnRows: ReactNode[] = [];
  for (let index = Math.max(0, rows.first); index <= rows.last; index += 1) {
    drawnRows.push(
      <GridRowView
        // Elements are used again for the rows that come in: the browser changes text instead of building rows.
        key={index % poolSize}
        index={index}
        number={props.numberOf(index)}
        numberWidth={numberWidth}
        cells={props.row(index)}
        top={(index - scroll.anchor) * rowHeight}
        columns={columns}
        placing={placing}
        frozen={frozen}
        firstColumn={scroll.columns.first}
        lastColumn={scroll.columns.last}
        activeId={activeId}
        activeColumn={active?.row === index ? active.column : undefined}
        leadColumn={lead?.row === index && lead !== selection.selection?.anchor ? lead.column : undefined}
        selected={ranges === undefined ? undefined : selectedInRow(ranges, index)}
        found={props.found(index)}
        foundNow={props.foundNow?.row === index ? props.foundNow.column : undefined}
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
        aria-colcount={columns.length + 1}
        aria-readonly={props.isReadOnly || undefined}
        aria-multiselectable
        aria-activedescendant={activeIsDrawn ? activeId : undefined}
        tabIndex={0}
        onScroll={scroll.onScroll}
        onKeyDown={onKeyDown}
        onMouseDown={onMouseDown}
        onDoubleClick={(event) => {
          const hit = hitOf(event);
          if (hit !== undefined && !hit.isNumber) props.onOpen(hit.position);
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
            selected={wholeColumns === undefined ? undefined : selectedInRow(wholeColumns, 0)}
            actions={headerActions}
            onSelectAll={selectAll}
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
