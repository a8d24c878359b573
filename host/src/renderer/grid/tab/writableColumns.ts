import type { Column, TableDescription } from '@tabularium/sdk';
import type { WritableColumn } from '../../editing/cellCommands.ts';
import type { GridColumn } from '../model/gridColumns.ts';

const limitsOf = ({ range, specialValues, values }: Column): Pick<Column, 'range' | 'specialValues' | 'values'> => ({
  ...(range === undefined ? {} : { range }),
  ...(specialValues === undefined ? {} : { specialValues }),
  ...(values === undefined ? {} : { values }),
});

/** The columns of a grid with what may be written into them. */
export function writableColumns(all: readonly GridColumn[], { columns }: TableDescription): readonly WritableColumn[] {
  return all.flatMap(({ name, kind, source, isKey }) => {
    const described = columns.find((column) => column.name === name);
    return described === undefined
      ? []
      : [{ name, kind, source, isKey, nullable: described.nullable, editable: described.editable, ...limitsOf(described) }];
  });
}
