import { memo } from 'react';
import type { ReactNode } from 'react';
import type { RowMarks } from '../../editing/stagedRows.ts';
import { strings } from '../../i18n/index.ts';
import type { CellTone } from '../model/cellText.ts';
import { cutMark } from '../model/cutMark.ts';
import styles from './cells.module.css';
import type { GridFrame } from './gridFrame.ts';
import { REFERENCE_MARK } from '../model/fit.ts';
import { keyText } from '../model/keyText.ts';
import { gridText } from '../model/gridText.ts';
import type { GridText } from '../model/gridText.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { GridRow } from '../model/pageCache.ts';
import { noValueText, placeholderOf } from '../model/presetText.ts';
import { readSelected } from '../model/selection.ts';
import type { Interval } from '../model/selection.ts';
import type { RowHighlights } from './RowHighlighter.ts';

/** An editor in place of a cell. */
export interface EditedCell {
  readonly column: number;
  readonly element: ReactNode;
}

interface Props {
  readonly index: number;
  /** The label at the left of the row: its number, or that it is new. */
  readonly number: string;
  readonly top: number;
  /** Absent while the row is being read. */
  readonly cells: GridRow | undefined;
  /** The staged change of this row. */
  readonly marks: RowMarks | undefined;
  readonly highlights: RowHighlights;
  /** The editors in place of its cells; the same list from render to render where it has none. */
  readonly editors: readonly EditedCell[];
  readonly frame: GridFrame;
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

/** A cell of a new row that says nothing shows the value that the database gives it. */
function withPreset(content: GridText, column: GridColumn, marks: RowMarks | undefined): GridText {
  if (content.tone !== 'absent' || marks?.kind !== 'insert') return content;
  const text = placeholderOf(column);
  if (text === undefined) return content;
  return { ...content, text, title: noValueText(column) ?? strings.tableParts.presetTitle };
}

/** A cell without a value refers to no row, and none to it. */
function refersToRow(tone: CellTone): boolean {
  return tone !== 'null' && tone !== 'absent';
}

/** The way from a cell, and to its row, for those who don't see the arrow and the menu. */
function linkText({ refersTo, referredTo }: GridColumn, refers: boolean, tone: CellTone): string | undefined {
  const found = [
    ...(refers && refersTo !== undefined ? [strings.grid.refersTo(refersTo, keyText('grid.follow'))] : []),
    ...(referredTo !== undefined && refersToRow(tone) ? [strings.grid.referredTo(referredTo, keyText('grid.referring'))] : []),
  ];
  return found.length === 0 ? undefined : found.join(' ');
}

function rowTitle(marks: RowMarks | undefined): string | undefined {
  if (marks?.problem !== undefined) return marks.problem.text;
  if (marks?.kind === 'insert')
    return marks.lacking.size === 0 ? strings.editing.insertedRow : strings.editing.insertedRowLacks(marks.lacking.size);
  return marks?.kind === 'delete' ? strings.editing.deletedRow : undefined;
}

function titleOf(marks: RowMarks | undefined, source: number): string | undefined {
  const problem = marks?.problem;
  // Where the cell at fault isn't known, each cell that was changed may be it.
  if (problem?.place === source || (problem?.place === undefined && marks?.changed.has(source) === true && problem !== undefined))
    return problem.text;
  return marks?.kind === 'update' && marks.changed.has(source) ? strings.editing.changedCell : undefined;
}

function titleOfText({ text, title, tone }: GridText, isCut: boolean): string | undefined {
  if (isCut) return title === undefined ? text : `${text}\n${title}`;
  return title ?? toneTitle(tone);
}

const within = (intervals: readonly Interval[], place: number): boolean =>
  intervals.some(({ first, last }) => place >= first && place <= last);

/**
 * One row. It renders again only when its own cells, place or columns change. While a scroll bar is dragged every row does so in every frame:
 * nothing here may differ between two rows but what is seen.
 */
export const GridRowView = memo(function GridRowView(props: Props): ReactNode {
  const { index, cells, top, marks, highlights, editors, frame } = props;
  const { columns, edges, placing, frozen, firstColumn, lastColumn, numberWidth, activeId } = frame;
  const { activeColumn, leadColumn, foundNow } = highlights;
  const selected = readSelected(highlights.selected);
  const found = readSelected(highlights.found);
  const drawn: ReactNode[] = [];
  const draw = (place: number): void => {
    const column = columns[place];
    if (column === undefined) return;
    const { source } = column;
    const editor = editors.find((one) => one.column === place);
    const content = cells === undefined ? undefined : withPreset(gridText(cells[source] ?? null, column), column, marks);
    const lacks = marks?.lacking.has(source) === true;
    const isActive = place === activeColumn;
    const isSelected = within(selected, place);
    const width = (edges[place + 1] ?? 0) - (edges[place] ?? 0);
    const cut =
      content === undefined || editor !== undefined
        ? undefined
        : cutMark(content.text, width - (column.refersTo === undefined ? 0 : REFERENCE_MARK));
    const refers = column.refersTo !== undefined && content !== undefined && refersToRow(content.tone) && editor === undefined;
    drawn.push(
      <div
        key={place}
        id={isActive ? activeId : undefined}
        role="gridcell"
        aria-colindex={place + 2}
        aria-selected={isActive || isSelected || undefined}
        data-column={place}
        data-tone={content?.tone ?? 'pending'}
        data-mark={content?.mark}
        data-length={content?.length}
        data-cut={cut}
        data-refers={column.refersTo === undefined ? undefined : ''}
        aria-description={isActive && content !== undefined ? linkText(column, refers, content.tone) : undefined}
        aria-label={cut === undefined ? undefined : content?.text}
        data-lacking={lacks || undefined}
        data-fault={marks?.problem?.place === source || undefined}
        data-active={isActive || undefined}
        data-selected={isSelected || undefined}
        data-lead={place === leadColumn || undefined}
        data-found={within(found, place) ? (place === foundNow ? 'current' : 'yes') : undefined}
        className={place < frozen ? styles.frozenCell : styles.cell}
        data-end={column.alignEnd || undefined}
        style={placing[place]}
        data-changed={marks?.changed.has(source) || undefined}
        data-editing={editor !== undefined || undefined}
        title={content === undefined ? undefined : (titleOf(marks, source) ?? titleOfText(content, cut !== undefined))}
      >
        {lacks ? strings.common.required : content?.text}
        {refers ? (
          <span
            data-follow
            aria-hidden
            className={styles.follow}
            title={strings.grid.refersTo(column.refersTo, keyText('grid.follow'))}
          />
        ) : null}
        {editor?.element}
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
      data-editing={editors.length > 0 || undefined}
      aria-description={rowTitle(marks)}
      style={{ top }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        data-row-number
        data-selected={highlights.selected !== undefined || undefined}
        className={styles.rowNumber}
        style={{ width: numberWidth }}
        title={marks?.problem?.text}
      >
        {props.number}
      </div>
      {drawn}
    </div>
  );
});
