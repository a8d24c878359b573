import { strings } from '../../i18n/index.ts';
import type { EditableRow } from '../model/editableRow.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import type { CellPosition } from '../model/navigation.ts';
import { blockOf, isMultiple, lengthOf, rowsIn } from '../model/selection.ts';
import type { Interval } from '../model/selection.ts';
import type { TabModel } from '../tab/tabModel.ts';

/** The cells that a command acts on: those that are selected, else the active one. */
export interface SelectedCells {
  readonly active: CellPosition | undefined;
  readonly column: GridColumn | undefined;
  /** The active row. */
  readonly row: EditableRow | undefined;
  readonly isSeveral: boolean;
  readonly rows: readonly Interval[];
  readonly rowCount: number;
  /** The places of the columns; none where the ranges share no columns. */
  readonly places: readonly number[];
  /** Why there is no cell to act on. */
  readonly noCell: string | undefined;
  /** Why the cells cannot be edited. */
  readonly refusal: string | undefined;
  /** Why they cannot be emptied. */
  readonly nullRefusal: string | undefined;
}

export function selectedCells(
  model: Pick<TabModel, 'description' | 'columns' | 'selection' | 'size' | 'edited' | 'cells'>,
): SelectedCells {
  const { description, size, edited, cells } = model;
  const { columns } = model.columns;
  const { active, selection } = model.selection;
  const several = selection !== undefined && isMultiple(selection) ? selection.ranges : undefined;
  const isOnCell = active !== undefined && active.row !== HEADER_ROW;
  const noCell = isOnCell ? undefined : strings.selection.noCell;

  const activeRow = isOnCell ? [{ first: active.row, last: active.row }] : [];
  const rows = several === undefined ? activeRow : rowsIn(several, size);
  const activePlace = active === undefined ? [] : [active.column];
  const places = several === undefined ? activePlace : (blockOf(several, size)?.columns ?? []);
  const isNullable = places.some(
    (place) => description.columns.find(({ name }) => name === columns[place]?.name)?.nullable === true,
  );
  const oneRefusal = active === undefined ? undefined : cells.refusal(active);
  const refusal = noCell ?? (several === undefined ? oneRefusal : edited.readOnly);
  return {
    active,
    column: active === undefined ? undefined : columns[active.column],
    row: isOnCell ? edited.rowAt(active.row) : undefined,
    isSeveral: several !== undefined,
    rows,
    rowCount: lengthOf(rows),
    places,
    noCell,
    refusal,
    nullRefusal: refusal ?? (isNullable ? undefined : strings.editing.notNullable),
  };
}
