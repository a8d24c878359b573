import type { ReactNode } from 'react';
import type { RowMarks } from '../../editing/stagedRows.ts';
import styles from './cells.module.css';
import type { GridFrame } from './gridFrame.ts';

/** Largest width of a reason; the same as in the style sheet. */
const PROBLEM_WIDTH = 420;

interface Props {
  readonly problem: NonNullable<RowMarks['problem']>;
  readonly frame: GridFrame;
}

/** Why a row was not saved, beside the cell at fault. Read out as the description of the row. */
export function RowProblem({ problem, frame: { columns, edges } }: Props): ReactNode {
  const place = Math.max(
    0,
    columns.findIndex(({ source }) => source === problem.place),
  );
  const left = edges[place] ?? 0;
  const right = edges[place + 1] ?? left;
  // Where there is no room to the right of the cell, the reason is to its left.
  const isAtEnd = (edges.at(-1) ?? 0) - right < PROBLEM_WIDTH && left >= PROBLEM_WIDTH;
  return (
    <span
      className={styles.problem}
      style={isAtEnd ? { left, transform: 'translateX(-100%)' } : { left: right }}
      title={problem.text}
      aria-hidden
    >
      {problem.text}
    </span>
  );
}
