import { isAbsent } from '@tabularium/sdk';
import type { Cell, Column, ColumnKind } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { Meanwhile, ReviewedChange } from '../../common/editing.ts';
import { wholeText } from '../grid/model/cellText.ts';
import { strings } from '../i18n/index.ts';
import styles from './editing.module.css';
import { looksSame, reviewedValue } from './reviewedValue.ts';

/** A person reads no more fields of one row than this. */
const MOST_CELLS = 30;

interface Props {
  readonly change: Pick<ReviewedChange, 'kind' | 'cells'>;
  /** How the row differs by now from what was seen. */
  readonly meanwhile: Meanwhile | undefined;
  readonly columns: readonly Column[];
  /** The columns of the reasons why the row can't be saved: their lines are marked, and never left out. */
  readonly faults?: readonly (string | undefined)[];
  /** Why the row was not saved, said beside the value at fault. */
  readonly reason?: { readonly column: string | undefined; readonly text: string } | undefined;
}

interface Line {
  readonly column: string;
  readonly was?: Cell;
  readonly yours?: Cell;
  readonly now?: Cell;
}

/** The values of a change: what was, what will be, and what somebody else wrote meanwhile. */
export function ReviewedCells({ change, meanwhile, columns, faults = [], reason }: Props): ReactNode {
  const words = strings.editing.cells;
  const theirs = meanwhile?.is === 'changed' ? meanwhile.cells : [];
  const lines = linesOf(change, theirs);
  if (lines.length === 0) return null;
  const shown = lines.filter(({ column }, index) => index < MOST_CELLS || faults.includes(column));
  const isNew = change.kind === 'insert';
  const kindOf = (name: string): ColumnKind => columns.find((column) => column.name === name)?.kind ?? 'text';
  const cell = (line: Line, value: Cell | undefined): ReactNode => (
    <td>{value === undefined ? null : <Value cell={value} kind={kindOf(line.column)} />}</td>
  );
  const alike = shown.flatMap(({ column, was, yours }) =>
    was !== undefined && yours !== undefined && looksSame(was, yours, kindOf(column)) ? [column] : [],
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
            {reason === undefined ? null : <th scope="col">{words.reason}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <tr
              key={line.column}
              data-changed={line.now === undefined ? undefined : true}
              data-fault={faults.includes(line.column) || undefined}
            >
              <th scope="row">{line.column}</th>
              {isNew ? null : cell(line, line.was)}
              {change.kind === 'delete' ? null : cell(line, line.yours)}
              {theirs.length === 0 ? null : cell(line, line.now)}
              {reason === undefined ? null : (
                <td>
                  {reason.column !== line.column ? null : (
                    <span className={styles.beside} role="alert">
                      {reason.text}
                    </span>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > shown.length ? (
        <p className={styles.hint}>{strings.editing.moreCells(lines.length - shown.length)}</p>
      ) : null}
      {alike.length === 0 ? null : <p className={styles.hint}>{words.alike(alike)}</p>}
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
  const { tone } = wholeText(cell, kind);
  const { marks } = strings.inspector;
  const mark = cell === null ? marks.null : isAbsent(cell) ? marks.absent : tone === 'empty' ? marks.empty : undefined;
  if (mark !== undefined) return <em>{mark}</em>;
  const { before, text, behind } = reviewedValue(cell, kind);
  return (
    <span className={styles.value} data-mono={tone === 'bytes' || undefined}>
      <Blanks dots={before} />
      {text}
      <Blanks dots={behind} />
    </span>
  );
}

function Blanks({ dots }: { readonly dots: string }): ReactNode {
  return dots === '' ? null : <em title={strings.editing.cells.blanks(dots.length)}>{dots}</em>;
}
