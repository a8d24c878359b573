import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import { shownText } from './cellText.ts';
import type { CellTone } from './cellText.ts';
import styles from './grid.module.css';
import type { GridColumn } from './gridColumns.ts';
import type { GridRow } from './pageCache.ts';

interface Props {
  readonly index: number;
  /** Absent while the row is being read. */
  readonly cells: GridRow | undefined;
  readonly top: number;
  readonly columns: readonly GridColumn[];
  /** Place and width of each column. The same objects for every row, so that nothing is compared twice. */
  readonly placing: readonly CSSProperties[];
  readonly frozen: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** The active cell's column, in the active row only. */
  readonly activeColumn: number | undefined;
  /** The id of the active cell's element, which the grid names as its active descendant. */
  readonly activeId: string;
}

const TITLES: Partial<Record<CellTone, string>> = {
  null: strings.grid.nullTitle,
  absent: strings.grid.absentTitle,
  empty: strings.grid.emptyTitle,
};

/**
 * One row. It renders again only when its own cells, place or columns change. While a scroll bar is dragged every row does so in every frame:
 * nothing here may differ between two rows but what is seen.
 */
export const GridRowView = memo(function GridRowView(props: Props): ReactNode {
  const { index, cells, top, columns, placing, frozen, firstColumn, lastColumn, activeColumn, activeId } = props;
  const drawn: ReactNode[] = [];
  const draw = (place: number): void => {
    const column = columns[place];
    if (column === undefined) return;
    const content = cells === undefined ? undefined : shownText(cells[place] ?? null, column.kind);
    const isActive = place === activeColumn;
    drawn.push(
      <div
        key={place}
        id={isActive ? activeId : undefined}
        role="gridcell"
        aria-colindex={place + 1}
        aria-selected={isActive || undefined}
        data-column={place}
        data-tone={content?.tone ?? 'pending'}
        data-active={isActive || undefined}
        className={place < frozen ? styles.frozenCell : styles.cell}
        data-end={column.alignEnd || undefined}
        style={placing[place]}
        title={content === undefined ? undefined : TITLES[content.tone]}
      >
        {content?.text}
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
      data-active={activeColumn !== undefined || undefined}
      style={{ top }}
    >
      {drawn}
    </div>
  );
});
