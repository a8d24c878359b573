import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import type { CellPosition } from '../model/navigation.ts';
import type { RowSource } from '../model/rowSource.ts';
import { isMultiple } from '../model/selection.ts';
import type { SelectionSize } from '../model/selection.ts';
import { summaryOf } from '../model/selectionSummary.ts';
import type { SelectionSummary } from '../model/selectionSummary.ts';
import styles from './tab.module.css';
import type { GridSelection } from '../model/gridSelection.ts';

/** While a range is being drawn nothing is added up. */
const REST_MILLISECONDS = 120;

interface Props {
  readonly selection: GridSelection;
  readonly columns: readonly GridColumn[];
  readonly source: RowSource;
  readonly size: SelectionSize;
  /** Whether all rows of the table are known by number; else “all” is what was read so far. */
  readonly isWhole: boolean;
}

/** The selection: the place of one cell, or the summary of several. Read out when it changes. */
export function SelectionText({ selection, columns, source, size, isWhole }: Props): ReactNode {
  const { active, selection: selected } = selection;
  const ranges = selected !== undefined && isMultiple(selected) ? selected.ranges : undefined;
  const [summary, setSummary] = useState<SelectionSummary>();
  const { rows, columns: columnCount } = size;
  useEffect(() => {
    if (ranges === undefined) {
      setSummary(undefined);
      return undefined;
    }
    const timer = setTimeout(
      () => setSummary(summaryOf(ranges, { rows, columns: columnCount }, columns, source)),
      REST_MILLISECONDS,
    );
    return () => clearTimeout(timer);
  }, [ranges, rows, columnCount, columns, source]);

  const parts = summary === undefined || ranges === undefined ? [] : partsOf(summary, isWhole, rows);
  return (
    <span className={styles.footerSpace} title={parts.length === 0 ? undefined : parts.join('\n')}>
      {/* Always there, so that what comes into it is read out; the place of one cell is said by the cell itself. */}
      <span role="status" aria-label={strings.selection.summary} className={styles.summary}>
        {parts.map((part) => (
          <span key={part}>{part}</span>
        ))}
      </span>
      {parts.length === 0 ? <ActiveCell active={active} columns={columns} above={source.above} /> : null}
    </span>
  );
}

interface ActiveCellProps {
  readonly active: CellPosition | undefined;
  readonly columns: readonly GridColumn[];
  readonly above: number;
}

/** Row and column of the active cell, each whole or not at all: where both don't fit, the row remains. */
function ActiveCell({ active, columns, above }: ActiveCellProps): ReactNode {
  const column = active === undefined ? undefined : columns[active.column];
  if (active === undefined || column === undefined || active.row === HEADER_ROW) return null;
  const number = active.row - above + 1;
  const row = number < 1 ? strings.selection.newRow : strings.grid.rowNumber(number);
  return (
    <span className={styles.activeCell} title={`${row}, ${column.name}`}>
      <span>{row}</span>
      <span>, {column.name}</span>
    </span>
  );
}

function partsOf(
  { cells, shape, numbers, ends, loaded, isAll }: SelectionSummary,
  isWhole: boolean,
  rows: number,
): readonly string[] {
  const words = strings.selection;
  const all = isWhole ? words.selectedAll(rows) : words.selectedLoaded(rows);
  const what = isAll ? all : shape === undefined ? words.cells(cells) : words.shape(shape.rows, shape.columns);
  const partly = loaded < cells ? [words.partly(loaded)] : [];
  if (numbers === undefined)
    return ends === undefined ? [what] : [what, ...partly, words.least(ends.least), words.greatest(ends.greatest)];
  return [
    what,
    // Before the numbers, so that they are never taken for those of all that is selected, however little of the line fits.
    ...partly,
    words.sum(numbers.sum),
    words.average(numbers.average),
    words.least(numbers.least),
    words.greatest(numbers.greatest),
  ];
}
