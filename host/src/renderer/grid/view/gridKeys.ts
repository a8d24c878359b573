import type { KeyboardEvent } from 'react';
import { HEADER_ROW, moveBy } from '../model/navigation.ts';
import type { CellPosition, GridSize } from '../model/navigation.ts';
import { isMultiple, nextWithin } from '../model/selection.ts';
import type { GridSelection } from '../model/gridSelection.ts';
import type { GridFrame } from './gridFrame.ts';
import type { GridCommands } from '../model/gridCommands.ts';

const RESIZE_STEP = 16;

interface Options {
  readonly frame: Pick<GridFrame, 'columns' | 'edges' | 'frozen'>;
  readonly size: GridSize;
  /** The first row on the screen: where the keyboard begins when nothing is active. */
  readonly firstVisible: number;
  readonly selection: GridSelection;
  readonly show: (position: CellPosition) => void;
  readonly commands: Pick<GridCommands, 'open' | 'copy' | 'goToEnd' | 'sort' | 'moveColumn'>;
  /** The menu of the active cell, or of the header cell. */
  readonly onMenuKey: (position: CellPosition) => void;
  readonly onResize: (column: string, width: number) => void;
}

const isMenuKey = (event: KeyboardEvent): boolean => event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10');

/** The keyboard in the grid works as in a spreadsheet. */
export function gridKeys(options: Options): (event: KeyboardEvent<HTMLDivElement>) => void {
  const { size, selection, show, commands } = options;
  const { columns, edges, frozen } = options.frame;

  const onHeader = (event: KeyboardEvent, place: number): boolean => {
    const column = columns[place];
    if (column === undefined) return false;
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    const step = event.key === 'ArrowRight' ? 1 : -1;
    if (event.key === 'Enter' || (event.key === ' ' && !event.ctrlKey)) {
      if (column.sortable.allowed) commands.sort(column.name, event.shiftKey);
      return true;
    }
    if (event.altKey && event.shiftKey && isSideways) {
      const to = Math.min(columns.length - 1, Math.max(0, place + step));
      commands.moveColumn(column.name, to);
      selection.cell({ row: HEADER_ROW, column: to });
      return true;
    }
    if (event.altKey && isSideways) {
      options.onResize(column.name, (edges[place + 1] ?? 0) - (edges[place] ?? 0) + step * RESIZE_STEP);
      return true;
    }
    if (isMenuKey(event) || (event.altKey && event.key === 'ArrowDown')) {
      options.onMenuKey({ row: HEADER_ROW, column: place });
      return true;
    }
    return false;
  };

  const go = (position: CellPosition, extends_: boolean): void => {
    const at = extends_ ? { ...position, row: Math.max(0, position.row) } : position;
    selection.cell(at, extends_ ? 'extend' : 'new');
    show(at);
  };

  /** Tab and Enter go through a range; Tab alone goes along the row and, from its end, out of the grid. */
  const onTabOrEnter = (event: KeyboardEvent, from: CellPosition): boolean => {
    if (event.key !== 'Tab' && event.key !== 'Enter') return false;
    const { selection: selected } = selection;
    if (selected !== undefined && isMultiple(selected)) {
      const next = nextWithin(selected, event.key, event.shiftKey, size);
      if (next === undefined) return false;
      selection.activate(next);
      show(next);
      return true;
    }
    if (event.key === 'Enter') {
      if (selection.active === undefined) return false;
      commands.open(from);
      return true;
    }
    const column = from.column + (event.shiftKey ? -1 : 1);
    if (selection.active === undefined || column < 0 || column >= size.columns) return false;
    go({ row: from.row, column }, false);
    return true;
  };

  const onCommand = (event: KeyboardEvent, from: CellPosition): boolean => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === 'a') selection.all();
    else if (command && key === 'c' && selection.active !== undefined) commands.copy();
    else if (event.key === ' ' && command) selection.column(from.column);
    else if (event.key === ' ' && event.shiftKey) selection.row(from.row);
    else if (event.key === 'Escape' && selection.selection !== undefined && isMultiple(selection.selection)) {
      event.stopPropagation();
      selection.collapse();
    } else return false;
    return true;
  };

  return (event) => {
    if (columns.length === 0) return;
    const from = selection.active ?? { row: Math.max(0, options.firstVisible), column: 0 };
    const command = event.ctrlKey || event.metaKey;
    const handle = (): boolean => {
      if (from.row === HEADER_ROW && onHeader(event, from.column)) return true;
      if (isMenuKey(event)) {
        options.onMenuKey(from);
        return true;
      }
      if (event.altKey) return false;
      if (onTabOrEnter(event, from) || onCommand(event, from)) return true;
      if (command && event.key === 'End' && !event.shiftKey && commands.goToEnd(size.columns - 1)) return true;
      const extendsRange = event.shiftKey && selection.selection !== undefined;
      const start = extendsRange ? (selection.selection?.lead ?? from) : from;
      const to = moveBy(start, { key: event.key, command }, size);
      if (to === undefined) return false;
      go(to, extendsRange);
      // Going to a frozen column alone brings nothing into sight: Home shows what begins beside the frozen ones, too.
      if (event.key === 'Home') show({ row: HEADER_ROW, column: frozen });
      return true;
    };
    if (handle()) event.preventDefault();
  };
}
