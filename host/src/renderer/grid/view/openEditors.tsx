import { CellEditor } from '../../editing/CellEditor.tsx';
import { LabelEditor } from '../../editing/LabelEditor.tsx';
import type { CellEditing } from '../../editing/cellEditing.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { OpenEditor } from './gridProps.ts';

/** The editors of cells as the grid draws them. */
export function openEditors(editors: readonly CellEditing[], columns: readonly GridColumn[]): readonly OpenEditor[] {
  return editors.map((editing) => {
    const column = columns[editing.position.column];
    return {
      position: editing.position,
      onLost: () => editing.leave(),
      element: (opensUp) => {
        const common = { column: column?.name ?? '', editing, opensUp };
        return column?.values === undefined ? (
          <CellEditor {...common} isJson={column?.kind === 'json'} />
        ) : (
          <LabelEditor {...common} labels={column.values} />
        );
      },
    };
  });
}
