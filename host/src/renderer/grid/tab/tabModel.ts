import type { TableDescription } from '@tabularium/sdk';
import type { RefObject } from 'react';
import type { OpenConnectionInfo } from '../../../common/api.ts';
import type { CellCommands } from '../../editing/cellCommands.ts';
import type { CellEditingState } from '../../editing/cellEditing.ts';
import type { FilterBarHandle } from '../../filter/useFilterBar.ts';
import type { TableFilter } from '../../filter/useTableFilter.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import type { GridSelection } from '../model/gridSelection.ts';
import type { SelectionSize } from '../model/selection.ts';
import type { ColumnArrangement } from './useColumnLayout.ts';
import type { EditedRows } from './useEditedRows.ts';
import type { FindState } from './useFind.ts';
import type { ShowNewRow } from './useNewRow.ts';
import type { References } from './useReferences.ts';
import type { TabSorting } from './useSorting.ts';
import type { TabLayers } from './useTabLayers.ts';
import type { TabRows } from './useTabRows.ts';

/** The changes to the cells of a tab. */
export interface TabCells extends CellCommands, CellEditingState {
  readonly showNewRow: ShowNewRow;
}

/** The state of a tab with the rows of one table. Commands act on it and views draw it; neither keeps state of its own. */
export interface TabModel {
  readonly connection: OpenConnectionInfo;
  readonly description: TableDescription;
  readonly filter: TableFilter;
  readonly sorting: TabSorting;
  readonly rows: TabRows;
  readonly columns: ColumnArrangement;
  /** Whether the columns have their widths, so that the grid can be drawn. */
  readonly isReady: boolean;
  readonly edited: EditedRows;
  readonly selection: GridSelection;
  /** How many rows and columns can be selected. */
  readonly size: SelectionSize;
  readonly cells: TabCells;
  readonly references: References;
  readonly finding: FindState;
  readonly layers: TabLayers;
  readonly grid: RefObject<GridHandle | null>;
  readonly filterBar: RefObject<FilterBarHandle | null>;
}
