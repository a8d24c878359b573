import { Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconKey } from '@tabler/icons-react';
import type { MouseEvent, ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import styles from './grid.module.css';
import type { GridColumn } from '../model/gridColumns.ts';
import type { Sorting } from '../model/sorting.ts';
import { headerText } from '../model/presetText.ts';
import { sortRefusal } from '../model/sortRefusal.ts';
import { RequiredMark } from '../../ui/RequiredMark.tsx';
import { ColumnResizeHandle } from './ColumnResizeHandle.tsx';
import type { HeaderActions } from './headerActions.ts';
import { useColumnDrag } from './useColumnDrag.ts';

/** The place of a header. */
export interface HeaderPlace {
  /** The column's place among those that are shown. */
  readonly place: number;
  readonly left: number;
  readonly width: number;
  readonly isFrozen: boolean;
}

/** How a header looks. */
export interface HeaderState {
  /** The id of the active cell's element where this is the one. */
  readonly activeId: string | undefined;
  readonly isSelected: boolean;
  readonly isDragged: boolean;
}

interface Props {
  readonly column: GridColumn;
  readonly at: HeaderPlace;
  readonly state: HeaderState;
  readonly sorting: Sorting;
  readonly actions: HeaderActions;
}

const ARIA_SORT = { ascending: 'ascending', descending: 'descending' } as const;
/** The header of a column: its name and type, how the rows are sorted by it, and its menu. */
export function HeaderCell({ column, at, state, sorting, actions }: Props): ReactNode {
  const { place, left, width, isFrozen } = at;
  const { sorts, maxSorts } = sorting;
  const position = sorts.findIndex((sort) => sort.column === column.name);
  const sort = sorts[position];
  const refused = sortRefusal(column, maxSorts);
  const about = headerText(column);
  const SortIcon = sort?.direction === 'descending' ? IconArrowDown : IconArrowUp;
  const drag = useColumnDrag(place, column.name, actions);
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
      id={state.activeId}
      role="columnheader"
      aria-colindex={place + 2}
      aria-sort={sort === undefined ? (refused === undefined ? 'none' : undefined) : ARIA_SORT[sort.direction]}
      aria-description={[refused ?? strings.grid.sortHint, ...(about === undefined ? [] : [about])].join(' ')}
      className={isFrozen ? styles.frozenHeaderCell : styles.headerCell}
      data-header-place={place}
      data-active={state.activeId !== undefined || undefined}
      data-selected={state.isSelected || undefined}
      data-dragged={state.isDragged || undefined}
      data-end={column.alignEnd || undefined}
      style={{ left, width }}
      onContextMenu={openMenu}
    >
      <Tooltip
        label={
          [...(refused === undefined ? [] : [refused]), ...(about === undefined ? [] : [about])].join('\n') ||
          strings.grid.sortHint
        }
        className={styles.headerTip}
        multiline
        openDelay={600}
        position="bottom-start"
      >
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
            {column.isRequired === true ? <RequiredMark /> : null}
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
      <ColumnResizeHandle column={column} width={width} actions={actions} />
    </div>
  );
}
