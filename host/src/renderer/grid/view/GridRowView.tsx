import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import type { RowMarks } from '../../editing/stagedRows.ts';
import { strings } from '../../i18n/index.ts';
import { shownText } from '../model/cellText.ts';
import type { CellTone } from '../model/cellText.ts';
import styles from './cells.module.css';
import type { GridColumn } from '../model/gridColumns.ts';
import type { GridRow } from '../model/pageCache.ts';
import { readSelected } from '../model/selection.ts';
import type { Interval } from '../model/selection.ts';

interface Props {
  readonly index: number;
  /** What stands at the left of the row: its number, or that it is new. */
  readonly number: string;
  readonly numberWidth: number;
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
  /** Where a range that is being extended ends, in that cell's row only. */
  readonly leadColumn: number | undefined;
  /** The selected columns, as `selectedInRow` writes them. */
  readonly selected: string | undefined;
  /** The columns in which what was looked for was found, in the same form, and the match that was gone to. */
  readonly found: string | undefined;
  readonly foundNow: number | undefined;
  /** What is staged for this row. */
  readonly marks: RowMarks | undefined;
  /** The editor in place of one cell, in that cell's row only. */
  readonly editor: { readonly column: number; readonly element: ReactNode } | undefined;
  /** The id of the active cell's element, which the grid names as its active descendant. */
  readonly activeId: string;
}

function toneTitle(tone: CellTone): string | undefined {
  switch (tone) {
    case 'null':
      return strings.grid.nullTitle;
    case 'absent':
      return strings.grid.absentTitle;
    case 'empty':
      return strings.grid.emptyTitle;
    default:
      return undefined;
  }
}

function rowTitle(marks: RowMarks | undefined): string | undefined {
  if (marks?.problem !== undefined) return marks.problem.text;
  if (marks?.kind === 'insert') return strings.editing.insertedRow;
  return marks?.kind === 'delete' ? strings.editing.deletedRow : undefined;
}

function titleOf(marks: RowMarks | undefined, source: number): string | undefined {
  if (marks?.problem?.place === source) return marks.problem.text;
  return marks?.kind === 'update' && marks.changed.has(source) ? strings.editing.changedCell : undefined;
}

const within = (intervals: readonly Interval[], place: number): boolean =>
  intervals.some(({ first, last }) => place >= first && place <= last);

/**
 * One row. It renders again only when its own cells, place or columns change. While a scroll bar is dragged every row does so in every frame:
 * nothing here may differ between two rows but what is seen.
 */
export const GridRowView = memo(function GridRowView(props: Props): ReactNode {
  const { index, cells, top, columns, placing, frozen, firstColumn, lastColumn, activeColumn, activeId, marks, editor } = props;
  const selected = readSelected(props.selected);
  const found = readSelected(props.found);
  const drawn: ReactNode[] = [];
  const draw = (place: number): void => {
    const column = columns[place];
    if (column === undefined) return;
    const { source } = column;
    const content = cells === undefined ? undefined : shownText(cells[source] ?? null, column.kind, column.dateUnit);
    const isActive = place === activeColumn;
    const isSelected = within(selected, place);
    drawn.push(
      <div
        key={place}
        id={isActive ? activeId : undefined}
        role="gridcell"
        aria-colindex={place + 2}
        aria-selected={isActive || isSelected || undefined}
        data-column={place}
        data-tone={content?.tone ?? 'pending'}
        data-active={isActive || undefined}
        data-selected={isSelected || undefined}
        data-lead={place === props.leadColumn || undefined}
        data-found={within(found, place) ? (place === props.foundNow ? 'current' : 'yes') : undefined}
        className={place < frozen ? styles.frozenCell : styles.cell}
        data-end={column.alignEnd || undefined}
        style={placing[place]}
        data-changed={marks?.changed.has(source) || undefined}
        data-editing={editor?.column === place || undefined}
        title={content === undefined ? undefined : (titleOf(marks, source) ?? content.title ?? toneTitle(content.tone))}
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
      <div
        role="rowheader"
        aria-colindex={1}
        data-row-number
        data-selected={props.selected !== undefined || undefined}
        className={styles.rowNumber}
        style={{ width: props.numberWidth }}
      >
        {props.number}
      </div>
      {drawn}
      {marks?.problem === undefined ? null : <Problem marks={marks} columns={columns} placing={placing} />}
    </div>
  );
});

/** What a reason takes at most; the same as in the style dialog. */
const PROBLEM_WIDTH = 420;

interface ProblemProps {
  readonly marks: RowMarks;
  readonly columns: readonly GridColumn[];
  readonly placing: readonly CSSProperties[];
}

/** Why a row was not saved, beside the cell at fault. Read out as the description of the row. */
function Problem({ marks, columns, placing }: ProblemProps): ReactNode {
  const place = columns.findIndex(({ source }) => source === marks.problem?.place);
  const at = placing[Math.max(0, place)];
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
