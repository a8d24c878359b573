import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import type { RowMarks } from '../editing/stagedRows.ts';
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
  /** What is staged for this row. */
  readonly marks: RowMarks | undefined;
  /** The editor in place of one cell, in that cell's row only. */
  readonly editor: { readonly column: number; readonly element: ReactNode } | undefined;
  /** The id of the active cell's element, which the grid names as its active descendant. */
  readonly activeId: string;
}

const TITLES: Partial<Record<CellTone, string>> = {
  null: strings.grid.nullTitle,
  absent: strings.grid.absentTitle,
  empty: strings.grid.emptyTitle,
};

function rowTitle(marks: RowMarks | undefined): string | undefined {
  if (marks?.problem !== undefined) return marks.problem.text;
  if (marks?.kind === 'insert') return strings.editing.insertedRow;
  return marks?.kind === 'delete' ? strings.editing.deletedRow : undefined;
}

function titleOf(marks: RowMarks | undefined, place: number): string | undefined {
  if (marks?.problem?.place === place) return marks.problem.text;
  return marks?.kind === 'update' && marks.changed.has(place) ? strings.editing.changedCell : undefined;
}

/**
 * One row. It renders again only when its own cells, place or columns change. While a scroll bar is dragged every row does so in every frame:
 * nothing here may differ between two rows but what is seen.
 */
export const GridRowView = memo(function GridRowView(props: Props): ReactNode {
  const { index, cells, top, columns, placing, frozen, firstColumn, lastColumn, activeColumn, activeId, marks, editor } = props;
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
        data-changed={marks?.changed.has(place) || undefined}
        data-editing={editor?.column === place || undefined}
        title={content === undefined ? undefined : (titleOf(marks, place) ?? TITLES[content.tone])}
      >
        {content?.text}
        {editor?.column === place ? editor.element : null}
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
      data-staged={marks?.kind}
      data-failed={marks?.problem !== undefined || undefined}
      data-sending={marks?.isSending || undefined}
      data-editing={editor !== undefined || undefined}
      aria-description={rowTitle(marks)}
      style={{ top }}
    >
      {drawn}
      {marks?.problem === undefined ? null : <Problem marks={marks} placing={placing} />}
    </div>
  );
});

/** What a reason takes at most; the same as in the style sheet. */
const PROBLEM_WIDTH = 420;

/** Why a row was not saved, beside the cell at fault. Read out as the description of the row. */
function Problem({ marks, placing }: { readonly marks: RowMarks; readonly placing: readonly CSSProperties[] }): ReactNode {
  const at = placing[marks.problem?.place ?? 0];
  const left = Number(at?.left ?? 0);
  const right = left + Number(at?.width ?? 0);
  const last = placing.at(-1);
  // Where there is no room to the right of the cell, the reason stands to its left.
  const isAtEnd = Number(last?.left ?? 0) + Number(last?.width ?? 0) - right < PROBLEM_WIDTH && left >= PROBLEM_WIDTH;
  return (
    <span
      className={styles.problem}
      style={isAtEnd ? { left, transform: 'translateX(-100%)' } : { left: right }}
      title={marks.problem?.text}
      aria-hidden
    >
      {marks.problem?.text}
    </span>
  );
}
