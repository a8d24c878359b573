import type { MenuListEntry } from '../../ui/MenuList.tsx';
import { canFilterBy, rowFor } from '../../filter/filterModel.ts';
import type { TabModel } from '../tab/tabModel.ts';
import { columnEntries } from './columnEntries.ts';

/** The menu of a header, by the column's place. */
export function columnMenu(model: TabModel, place: number, copyName: (column: string) => void): readonly MenuListEntry[] {
  const { description, columns, filter, filterBar } = model;
  const { filtering } = model.connection.manifest;
  const filterBy = (name: string): void => {
    const column = description.columns.find((one) => one.name === name);
    if (filtering === undefined || column === undefined) return;
    filter.change({ ...filter.draft, rows: [...filter.draft.rows, rowFor(filtering, column)] });
    requestAnimationFrame(() => filterBar.current?.focus());
  };
  const column = description.columns.find(({ name }) => name === columns.columns[place]?.name);
  const isFilterable = filtering !== undefined && column !== undefined && canFilterBy(filtering, column);
  return columnEntries(place, model, { copyName, filterBy: isFilterable ? filterBy : undefined });
}
