import { Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconKey } from '@tabler/icons-react';
import type { Sort } from '@tabularium/sdk';
import { useRef } from 'react';
import type { MouseEvent, PointerEvent, ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import type { MenuPlace } from '../../ui/MenuList.tsx';
import styles from './grid.module.css';
import type { GridColumn } from '../model/gridColumns.ts';
import type { SelectionMode } from './useGridSelection.ts';

/** What a header does. The same functions from render to render, so that the header renders only when it looks different. */
export interface HeaderActions {
  readonly onSort: (column: string, additive: boolean) => void;
  readonly onSelect: (place: number, mode: SelectionMode) => void;
  readonly onMenu: (place: number, at: MenuPlace) => void;
  /** While a person draws: `isDone` with the last one. */
  readonly onResize: (column: string, width: number, isDone: boolean) => void;
  readonly onFit: (column: string) => void;
  readonly onMove: (column: string, to: number) => void;
}

interface Props {
  readonly activeId: string;
  readonly column: GridColumn;
  readonly place: number;
  readonly left: number;
  readonly width: number;
  readonly isFrozen: boolean;
  readonly sorts: readonly Sort[];
  readonly maxSorts: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isDragged: boolean;
  readonly actions: HeaderActions;
  /** Where the column would come to stand; undefined when it is let go. */
  readonly onDrag: (place: number, to: number | undefined) => void;
}

const ARIA_SORT = { ascending: 'ascending', descending: 'descending' } as const;
/** A press that moves less than this is a click. */
const DRAG_PIXELS = 5;
/** Near an edge of the grid its columns come along. */
const EDGE_PIXELS = 28;
const EDGE_STEP = 18;

/** Why a column cannot be sorted by, or nothing. */
export function sortRefusal(column: GridColumn, maxSorts: number): string | undefined {
  if (!column.sortable.allowed) return strings.grid.unsortable(column.sortable.reason);
  return maxSorts === 0 ? strings.grid.sortLimit(0) : undefined;
}

export function HeaderCell(props: Props): ReactNode {
  const { activeId, column, place, left, width, isFrozen, sorts, maxSorts, isActive, actions } = props;
  const position = sorts.findIndex((sort) => sort.column === column.name);
  const sort = sorts[position];
  const refused = sortRefusal(column, maxSorts);
  const SortIcon = sort?.direction === 'descending' ? IconArrowDown : IconArrowUp;
  const drag = useColumnDrag(props);
  const openMenu = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    actions.onMenu(place, { x: event.clientX, y: event.clientY });
  };
  const onClick = (event: MouseEvent): void => {
    if (drag.wasDragged()) return;
    if (event.ctrlKey || event.metaKey) actions.onSelect(place, 'add');
    else if (refused === undefined) actions.onSort(column.name, event.shiftKey);
  };
  return (
    <div
      id={isActive ? activeId : undefined}
      role="columnheader"
      aria-colindex={place + 2}
      aria-sort={sort === undefined ? (refused === undefined ? 'none' : undefined) : ARIA_SORT[sort.direction]}
      aria-description={refused ?? strings.grid.sortHint}
      className={isFrozen ? styles.frozenHeaderCell : styles.headerCell}
      data-header-place={place}
      data-active={isActive || undefined}
      data-selected={props.isSelected || undefined}
      data-dragged={props.isDragged || undefined}
      data-end={column.alignEnd || undefined}
      style={{ left, width }}
      onContextMenu={openMenu}
    >
      <Tooltip label={refused ?? column.note ?? strings.grid.sortHint} openDelay={600} position="bottom-start">
        <button
          type="button"
          tabIndex={-1}
          className={styles.headerButton}
          data-refused={refused !== undefined || undefined}
          aria-disabled={refused !== undefined}
          onClick={onClick}
          {...drag.handlers}
        >
          <span className={styles.headerName}>
            {column.isKey ? <IconKey size={12} className={styles.keyMark} aria-label={strings.grid.key} /> : null}
            <span className={styles.headerNameText}>{column.name}</span>
            {sort === undefined ? null : (
              <span className={styles.sortMark}>
                <SortIcon size={13} stroke={2.25} aria-hidden />
                {sorts.length > 1 ? <span className={styles.sortPosition}>{position + 1}</span> : null}
                <span className="tb-visually-hidden">
                  {sort.direction === 'ascending' ? strings.grid.sortAscending : strings.grid.sortDescending}
                  {sorts.length > 1 ? strings.grid.sortPosition(position + 1) : ''}
                </span>
              </span>
            )}
          </span>
          <span className={styles.headerType}>
            {column.dateUnit === undefined ? column.type : strings.columns.dateUnits[column.dateUnit]}
          </span>
        </button>
      </Tooltip>
      {/* For the mouse; the keyboard opens the same menu from the header itself. */}
      <span className={styles.menuButton} aria-hidden title={strings.columns.menu(column.name)} onClick={openMenu}>
        <IconChevronDown size={14} stroke={1.75} />
      </span>
      <ResizeHandle column={column} width={width} actions={actions} />
    </div>
  );
}

/** A header that is drawn aside moves its column. */
function useColumnDrag({ place, column, actions, onDrag }: Props): {
  readonly wasDragged: () => boolean;
  readonly handlers: Pick<React.ComponentProps<'button'>, 'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel'>;
} {
  const press = useRef<{ readonly x: number; to?: number | undefined } | undefined>(undefined);
  const dragged = useRef(false);
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>): void => {
    dragged.current = false;
    if (event.button === 0 && !event.ctrlKey && !event.shiftKey && !event.metaKey) press.current = { x: event.clientX };
  };
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>): void => {
    const now = press.current;
    if (now === undefined) return;
    if (!dragged.current && Math.abs(event.clientX - now.x) < DRAG_PIXELS) return;
    if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = true;
    const box = event.currentTarget.closest('[role="grid"]')?.getBoundingClientRect();
    const grid = event.currentTarget.closest('[role="grid"]');
    if (box !== undefined && grid !== null) {
      if (event.clientX > box.right - EDGE_PIXELS) grid.scrollLeft += EDGE_STEP;
      else if (event.clientX < box.left + EDGE_PIXELS) grid.scrollLeft -= EDGE_STEP;
    }
    const under = document
      .elementsFromPoint(event.clientX, (box?.top ?? event.clientY) + 4)
      .find((element) => element.hasAttribute('data-header-place'));
    if (under === undefined) return;
    now.to = Number(under.getAttribute('data-header-place'));
    onDrag(place, now.to);
  };
  const onPointerUp = (): void => {
    const to = press.current?.to;
    press.current = undefined;
    onDrag(place, undefined);
    if (dragged.current && to !== undefined && to !== place) actions.onMove(column.name, to);
  };
  const onPointerCancel = (): void => {
    press.current = undefined;
    onDrag(place, undefined);
  };
  return { wasDragged: () => dragged.current, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } };
}

interface ResizeProps {
  readonly column: GridColumn;
  readonly width: number;
  readonly actions: HeaderActions;
}

function ResizeHandle({ column, width, actions }: ResizeProps): ReactNode {
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
