import { isUnread } from '@tabularium/sdk';
import type { ForeignKey } from '@tabularium/sdk';
import { wholeText } from './cellText.ts';
import type { GridColumn } from './gridColumns.ts';
import type { GridRow } from './gridRow.ts';

/** The places of a key's columns in a row; undefined where one of them isn't in the rows. */
export function placesOfReference(
  { columns: names }: Pick<ForeignKey, 'columns'>,
  columns: readonly Pick<GridColumn, 'name' | 'source'>[],
): readonly number[] | undefined {
  const places = names.flatMap((name) => columns.find((column) => column.name === name)?.source ?? []);
  return places.length === names.length ? places : undefined;
}

/** The first column of a key by which a row refers to none: it has no value. A value that wasn't read counts as one. */
export function emptyColumnOf(
  { columns: names }: Pick<ForeignKey, 'columns'>,
  places: readonly number[],
  row: GridRow,
): string | undefined {
  return names.find((_name, index) => {
    const cell = row[places[index] ?? -1] ?? null;
    return cell === null || (!isUnread(cell) && Array.isArray(cell) && cell[0] === 'absent');
  });
}

/** The values that the referenced columns have to have, as texts for the filter. */
export function referredConditions(
  { referencedColumns }: ForeignKey,
  places: readonly number[],
  row: GridRow,
  columns: readonly Pick<GridColumn, 'source' | 'kind'>[],
): readonly { readonly column: string; readonly text: string }[] {
  return referencedColumns.map((column, index) => {
    const place = places[index];
    const kind = columns.find(({ source }) => source === place)?.kind ?? 'text';
    return { column, text: wholeText(row[place ?? -1] ?? null, kind).text };
  });
}
