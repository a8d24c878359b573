import type { MouseEvent } from 'react';
import type { GridHandle } from '../model/gridHandle.ts';
import type { GridSelection } from '../model/gridSelection.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import type { CellPosition } from '../model/navigation.ts';
import { isMultiple, readSelected, selectedInRow } from '../model/selection.ts';
import type { GridCommands } from '../model/gridCommands.ts';
import { hitOf } from './useGridPointer.ts';

interface Options extends Pick<GridHandle, 'placeOfActive'> {
  readonly selection: GridSelection;
  readonly commands: Pick<GridCommands, 'openMenu' | 'openColumnMenu'>;
}

export interface GridMenus {
  /** Opens the menu of the active cell, or of the header cell, where it is on the screen. */
  readonly onMenuKey: (position: CellPosition) => void;
  readonly onContextMenu: (event: MouseEvent) => void;
}

/** How the menus of the grid are opened. A right click beside what is selected selects its cell first, as in a spreadsheet. */
export function gridMenus({ selection, commands, placeOfActive }: Options): GridMenus {
  const onMenuKey = (position: CellPosition): void => {
    const at = placeOfActive();
    if (at === undefined) return;
    if (position.row === HEADER_ROW) commands.openColumnMenu(position.column, at);
    else commands.openMenu(at);
  };
  const isSelected = ({ row, column }: CellPosition): boolean =>
    selection.selection !== undefined &&
    isMultiple(selection.selection) &&
    readSelected(selectedInRow(selection.selection.ranges, row)).some(({ first, last }) => column >= first && column <= last);

  const onContextMenu = (event: MouseEvent): void => {
    const at = hitOf(event)?.position;
    // The menu key is aimed at the grid itself: the menu opens at the active cell.
    const position = at ?? (event.target === event.currentTarget ? selection.active : undefined);
    if (position === undefined || position.row === HEADER_ROW) return;
    event.preventDefault();
    if (at !== undefined && !isSelected(at)) selection.cell(at);
    if (at === undefined) onMenuKey(position);
    else commands.openMenu({ x: event.clientX, y: event.clientY });
  };
  return { onMenuKey, onContextMenu };
}
