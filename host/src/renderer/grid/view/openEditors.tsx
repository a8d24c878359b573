import { CellEditor } from '../../editing/CellEditor.tsx';
import type { CellEditing } from '../../editing/cellEditing.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { OpenEditor } from './gridProps.ts';

/** The editors of cells as the grid draws them. */
export function openEditors(editors: readonly CellEditing[], columns: readonly GridColumn[]): readonly OpenEditor[] {
  return editors.map((editing) => {
    const column = columns[editing.position.column];
    return {
      position: editing.position,
      onLost: editing.leave,
      element: (opensUp) => (
        <CellEditor column={column?.name ?? ''} editing={editing} isJson={column?.kind === 'json'} opensUp={opensUp} />
      ),
    };
  });
}
