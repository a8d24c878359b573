import type { Cell } from '@tabularium/sdk';
import { cellJson } from '../../common/cellJson.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { indentJson } from '../grid/model/jsonText.ts';

/** The columns of a row that hold a text in their name or their value, letter case aside; all of them for an empty text. */
export function matchingPlaces(
  columns: readonly Pick<GridColumn, 'name'>[],
  textAt: (place: number) => string,
  search: string,
): readonly number[] {
  const wanted = search.trim().toLocaleLowerCase();
  return [...columns.keys()].filter(
    (place) =>
      columns[place]?.name.toLocaleLowerCase().includes(wanted) === true || textAt(place).toLocaleLowerCase().includes(wanted),
  );
}

/** A row as JSON, every digit kept; fields that it lacks are left out. */
export function rowJson(
  columns: readonly Pick<GridColumn, 'name' | 'kind'>[],
  row: readonly Cell[],
  places: Iterable<number> = columns.keys(),
): string {
  const members: string[] = [];
  for (const place of places) {
    const column = columns[place];
    const value = column === undefined ? undefined : cellJson(row[place] ?? null, column.kind);
    if (column !== undefined && value !== undefined) members.push(`${JSON.stringify(column.name)}:${value}`);
  }
  return indentJson(`{${members.join(',')}}`);
}
