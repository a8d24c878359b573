import { isAbsent } from '@tabularium/sdk';
import type { Cell, Column, ColumnKind } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { Meanwhile, ReviewedChange } from '../../common/editing.ts';
import { shownText } from '../grid/model/cellText.ts';
import { strings } from '../i18n/index.ts';
import styles from './editing.module.css';

/** A person reads no more fields of one row than this. */
const MOST_CELLS = 30;

interface Props {
  readonly change: Pick<ReviewedChange, 'kind' | 'cells'>;
  /** How the row differs by now from what was seen. */
  readonly meanwhile: Meanwhile | undefined;
  readonly columns: readonly Column[];
}

interface Line {
  readonly column: string;
  readonly was?: Cell;
  readonly yours?: Cell;
  readonly now?: Cell;
}

/** The values of a change: what was, what will be, and what somebody else wrote meanwhile. */
export function ReviewedCells({ change, meanwhile, columns }: Props): ReactNode {
  const words = strings.editing.cells;
  const theirs = meanwhile?.is === 'changed' ? meanwhile.cells : [];
  const lines = linesOf(change, theirs);
  if (lines.length === 0) return null;
  const isNew = change.kind === 'insert';
  const kindOf = (name: string): ColumnKind => columns.find((column) => column.name === name)?.kind ?? 'text';
  const cell = (line: Line, value: Cell | undefined): ReactNode => (
    <td>{value === undefined ? null : <Value cell={value} kind={kindOf(line.column)} />}</td>
  );
  return (
    <>
      <table className={styles.cells}>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            {isNew ? null : <th scope="col">{words.was}</th>}
            {change.kind === 'delete' ? null : <th scope="col">{isNew ? words.value : words.yours}</th>}
            {theirs.length === 0 ? null : <th scope="col">{words.now}</th>}
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, MOST_CELLS).map((line) => (
            <tr key={line.column} data-changed={line.now === undefined ? undefined : true}>
              <th scope="row">{line.column}</th>
              {isNew ? null : cell(line, line.was)}
              {change.kind === 'delete' ? null : cell(line, line.yours)}
              {theirs.length === 0 ? null : cell(line, line.now)}
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > MOST_CELLS ? <p className={styles.hint}>{strings.editing.moreCells(lines.length - MOST_CELLS)}</p> : null}
    </>
  );
}

function linesOf({ kind, cells }: Props['change'], theirs: Extract<Meanwhile, { is: 'changed' }>['cells']): readonly Line[] {
  if (kind === 'delete') return theirs;
  const now = new Map(theirs.map((cell) => [cell.column, cell]));
  return cells.map(({ column, value, original }) => ({
    column,
    yours: value,
    ...(original === undefined ? {} : { was: original }),
    ...now.get(column),
  }));
}

function Value({ cell, kind }: { readonly cell: Cell; readonly kind: ColumnKind }): ReactNode {
  const { text, tone } = shownText(cell, kind);
  const { marks } = strings.inspector;
  const mark = cell === null ? marks.null : isAbsent(cell) ? marks.absent : tone === 'empty' ? marks.empty : undefined;
  return mark === undefined ? <span>{text}</span> : <em>{mark}</em>;
}
