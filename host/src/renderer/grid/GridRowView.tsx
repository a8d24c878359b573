import { memo } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import { shownText } from './cellText.ts';
import type { CellTone } from './cellText.ts';
import styles from './grid.module.css';
import type { GridColumn } from './gridColumns.ts';
import type { GridRow } from './pageCache.ts';

interface Props {
  readonly gridId: string;
  readonly index: number;
  /** Absent while the row is being read. */
  readonly cells: GridRow | undefined;
  readonly top: number;
  readonly columns: readonly GridColumn[];
  readonly edges: readonly number[];
  readonly frozen: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** The active cell's column, in the active row only. */
  readonly activeColumn: number | undefined;
}

const TITLES: Partial<Record<CellTone, string>> = {
  null: strings.grid.nullTitle,
  absent: strings.grid.absentTitle,
  empty: strings.grid.emptyTitle,
};

/** The id of a cell's element: what the grid names as its active descendant. */
export function cellId(gridId: string, row: number, column: number): string {
  return `${gridId}-${row}-${column}`;
}

/** One row. It renders again only when its own cells, place or columns change. */
export const GridRowView = memo(function GridRowView(props: Props): ReactNode {
  const { gridId, index, cells, top, columns, edges, frozen, firstColumn, lastColumn, activeColumn } = props;
  const drawn: ReactNode[] = [];
  const draw = (place: number): void => {
    const column = columns[place];
    if (column === undefined) return;
    const left = edges[place] ?? 0;
    const isFrozen = place < frozen;
    const content = cells === undefined ? undefined : shownText(cells[place] ?? null, column.kind);
    drawn.push(
      <div
        key={column.name}
        id={cellId(gridId, index, place)}
        role="gridcell"
        aria-colindex={place + 1}
        data-column={place}
        data-tone={content?.tone}
        data-active={place === activeColumn || undefined}
        aria-selected={place === activeColumn}
        className={isFrozen ? styles.frozenCell : styles.cell}
        data-end={column.alignEnd || undefined}
        style={
          isFrozen
            ? { left, width: (edges[place + 1] ?? 0) - left }
            : { transform: `translateX(${left}px)`, width: (edges[place + 1] ?? 0) - left }
        }
        title={content === undefined ? undefined : TITLES[content.tone]}
      >
        {content === undefined ? <span className={styles.placeholder} aria-hidden /> : content.text}
      </div>,
    );
  };
  for (let place = 0; place < frozen; place += 1) draw(place);
  for (let place = Math.max(frozen, firstColumn); place <= lastColumn; place += 1) draw(place);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy={cells === undefined || undefined}
      className={styles.row}
      data-row={index}
      data-odd={index % 2 === 1 || undefined}
      data-active={activeColumn !== undefined || undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      {drawn}
    </div>
  );
});
