import { useCallback, useRef } from 'react';
import { CellEditor } from '../../editing/CellEditor.tsx';
import type { CellEditing } from '../../editing/cellEditing.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { OpenEditor } from './gridProps.ts';

/** The editor of a cell as the grid draws it. */
export function useOpenEditor(editing: CellEditing | undefined, columns: readonly GridColumn[]): OpenEditor | undefined {
  const leave = useRef(editing?.leave);
  leave.current = editing?.leave;
  // The same function from render to render: the grid calls it from an effect.
  const onLost = useCallback(() => leave.current?.(), []);
  if (editing === undefined) return undefined;
  const column = columns[editing.position.column];
  return {
    position: editing.position,
    onLost,
    element: (opensUp) => (
      <CellEditor column={column?.name ?? ''} editing={editing} isJson={column?.kind === 'json'} opensUp={opensUp} />
    ),
  };
}
