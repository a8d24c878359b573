import type { ReactNode, Ref } from 'react';
import type { RowMarks } from '../../editing/stagedRows.ts';
import type { GridColumns } from '../model/gridColumns.ts';
import type { GridCommands } from '../model/gridCommands.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import type { GridSelection } from '../model/gridSelection.ts';
import type { CellPosition } from '../model/navigation.ts';
import type { GridRow } from '../model/pageCache.ts';
import type { Sorting } from '../model/sorting.ts';

export interface DataGridProps {
  readonly label: string;
  readonly rows: GridRows;
  /** The columns on the screen, and how many of them stay in place. */
  readonly columns: GridColumns;
  /** The same object from render to render while the order is the same, else the header renders. */
  readonly sorting: Sorting;
  readonly selection: GridSelection;
  readonly editors: readonly OpenEditor[];
  readonly commands: GridCommands;
  readonly handle: Ref<GridHandle>;
  /** Shown over the rows: an empty state or an error. */
  readonly children?: ReactNode;
}

/** The rows that a grid draws. */
export interface GridRows {
  readonly count: number;
  /** Pixels. */
  readonly height: number;
  /** While false the grid takes its place but is not drawn. */
  readonly isReady: boolean;
  /** Undefined while that isn't decided yet. */
  readonly isReadOnly: boolean | undefined;
  /** Whether rows that are not here yet show so: not within the first moment. */
  readonly showsWaiting: boolean;
  /** Undefined while the row is being read. */
  readonly at: (index: number) => GridRow | undefined;
  /** The label at the left of a row. */
  readonly numberOf: (index: number) => string;
  /** The staged change of a row. */
  readonly marks: (index: number) => RowMarks | undefined;
  readonly found: FoundCells;
  /** The rows on the screen changed: the first and the last. The same function from render to render, else it is called for each. */
  readonly onVisible: (first: number, last: number) => void;
}

/** Where something that is looked for was found. */
export interface FoundCells {
  /** The columns of a row, as `selectedInRow` writes them. */
  readonly inRow: (index: number) => string | undefined;
  readonly current: CellPosition | undefined;
}

/** The editor in place of a cell. */
export interface OpenEditor {
  readonly position: CellPosition;
  /** `opensUp` where there is more room above. */
  readonly element: (opensUp: boolean) => ReactNode;
  /** Its row left the screen, and its element with it. */
  readonly onLost: () => void;
}
