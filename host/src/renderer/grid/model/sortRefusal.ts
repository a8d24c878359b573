import { strings } from '../../i18n/index.ts';
import type { GridColumn } from './gridColumns.ts';

/** Why a column cannot be sorted by, or nothing. */
export function sortRefusal(column: Pick<GridColumn, 'sortable'>, maxSorts: number): string | undefined {
  if (!column.sortable.allowed) return strings.grid.unsortable(column.sortable.reason);
  return maxSorts === 0 ? strings.grid.sortLimit(0) : undefined;
}
