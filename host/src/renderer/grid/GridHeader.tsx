import { Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconKey } from '@tabler/icons-react';
import type { Sort } from '@tabularium/sdk';
import { memo, useRef } from 'react';
import type { PointerEvent, ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import styles from './grid.module.css';
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from './gridColumns.ts';
import type { GridColumn } from './gridColumns.ts';

export interface GridHeaderProps {
  /** The id of the active cell's element. */
  readonly activeId: string;
  readonly columns: readonly GridColumn[];
  readonly edges: readonly number[];
  readonly frozen: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  readonly sorts: readonly Sort[];
  readonly maxSorts: number;
  /** The header cell that the keyboard is on. */
  readonly activeColumn: number | undefined;
  readonly onSort: (column: string, additive: boolean) => void;
  readonly onResize: (column: string, width: number) => void;
  readonly onFit: (column: string) => void;
}

const ARIA_SORT = { ascending: 'ascending', descending: 'descending' } as const;

/** Why a column cannot be sorted by, or nothing. */
function refusal(column: GridColumn, maxSorts: number): string | undefined {
  if (!column.sortable.allowed) return strings.grid.unsortable(column.sortable.reason);
  return maxSorts === 0 ? strings.grid.sortLimit(0) : undefined;
}

export const GridHeader = memo(function GridHeader(props: GridHeaderProps): ReactNode {
  const places: number[] = [];
  for (let place = 0; place < props.frozen; place += 1) places.push(place);
  for (let place = Math.max(props.frozen, props.firstColumn); place <= props.lastColumn; place += 1) places.push(place);
  return (
    <div role="rowgroup" className={styles.headerGroup}>
      <div role="row" aria-rowindex={1} className={styles.header}>
        {places.map((place) => {
          const column = props.columns[place];
          return column === undefined ? null : <HeaderCell key={column.name} {...props} column={column} place={place} />;
        })}
      </div>
    </div>
  );
});

function HeaderCell(props: GridHeaderProps & { readonly column: GridColumn; readonly place: number }): ReactNode {
  const { activeId, column, place, edges, frozen, sorts, maxSorts, activeColumn, onSort } = props;
  const left = edges[place] ?? 0;
  const width = (edges[place + 1] ?? 0) - left;
  const position = sorts.findIndex((sort) => sort.column === column.name);
  const sort = sorts[position];
  const refused = refusal(column, maxSorts);
  const isFrozen = place < frozen;
  const SortIcon = sort?.direction === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <div
      id={place === activeColumn ? activeId : undefined}
      role="columnheader"
      aria-colindex={place + 1}
      aria-sort={sort === undefined ? (refused === undefined ? 'none' : undefined) : ARIA_SORT[sort.direction]}
      aria-description={refused ?? strings.grid.sortHint}
      className={isFrozen ? styles.frozenHeaderCell : styles.headerCell}
      data-active={place === activeColumn || undefined}
      data-end={column.alignEnd || undefined}
      style={{ left, width }}
    >
      <Tooltip label={refused ?? column.note ?? strings.grid.sortHint} openDelay={600} position="bottom-start">
        <button
          type="button"
          tabIndex={-1}
          className={styles.headerButton}
          data-refused={refused !== undefined || undefined}
          aria-disabled={refused !== undefined}
          onClick={(event) => (refused === undefined ? onSort(column.name, event.shiftKey) : undefined)}
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
          <span className={styles.headerType}>{column.type}</span>
        </button>
      </Tooltip>
      <ResizeHandle {...props} width={width} />
    </div>
  );
}

function ResizeHandle({
  column,
  width,
  onResize,
  onFit,
}: GridHeaderProps & { readonly column: GridColumn; readonly width: number }): ReactNode {
  const start = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width };
  };
  const onPointerMove = (event: PointerEvent<HTMLSpanElement>): void => {
    if (start.current === undefined) return;
    const wanted = start.current.width + event.clientX - start.current.x;
    onResize(column.name, Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, Math.round(wanted))));
  };
  const end = (): void => {
    start.current = undefined;
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
      onDoubleClick={() => onFit(column.name)}
    />
  );
}
