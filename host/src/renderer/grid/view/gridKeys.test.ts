import type { KeyboardEvent } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GridColumn } from '../model/gridColumns.ts';
import { gridKeys } from './gridKeys.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import type { CellPosition } from '../model/navigation.ts';
import { extendTo, selectCell } from '../model/selection.ts';
import type { Selection } from '../model/selection.ts';
import type { GridSelection } from '../model/gridSelection.ts';

const column = (name: string, source: number): GridColumn => ({
  name,
  source,
  kind: 'text',
  type: 'string',
  sortable: name === 'id' ? { allowed: false, reason: 'Never.' } : { allowed: true },
  isKey: false,
  alignEnd: false,
  width: 100,
});
const COLUMNS = ['id', 'a', 'b'].map(column);

const spies = {
  cell: vi.fn(),
  row: vi.fn(),
  column: vi.fn(),
  all: vi.fn(),
  activate: vi.fn(),
  collapse: vi.fn(),
  follow: vi.fn(),
  show: vi.fn(),
  open: vi.fn(),
  copy: vi.fn(),
  goToEnd: vi.fn(() => false),
  onMenuKey: vi.fn(),
  sort: vi.fn(),
  onResize: vi.fn(),
  moveColumn: vi.fn(),
};
beforeEach(() => void vi.clearAllMocks());

/** Presses keys such as `Ctrl+Shift+A` where a cell is active. @returns whether the grid took them */
function press(keys: string, active: CellPosition | undefined, selection?: Selection): boolean {
  const parts = keys.split('+');
  const preventDefault = vi.fn();
  const gridSelection: GridSelection = {
    active,
    selection: selection ?? (active === undefined || active.row === HEADER_ROW ? undefined : selectCell(active)),
    ...spies,
  };
  const event = {
    key: parts.at(-1) === 'Space' ? ' ' : parts.at(-1),
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    metaKey: false,
    preventDefault,
    stopPropagation: vi.fn(),
  };
  gridKeys({
    frame: { columns: COLUMNS, edges: [50, 150, 250, 350], frozen: 1 },
    size: { rows: 100, columns: 3, screenRows: 20 },
    firstVisible: 0,
    selection: gridSelection,
    commands: spies,
    ...spies,
  })(event as unknown as KeyboardEvent<HTMLDivElement>);
  return preventDefault.mock.calls.length > 0;
}

const at = (row: number, place: number): CellPosition => ({ row, column: place });

describe('the keys of the grid', () => {
  it('move, and with Shift extend from where the range ends', () => {
    press('ArrowDown', at(3, 1));
    expect(spies.cell).toHaveBeenLastCalledWith(at(4, 1), 'new');
    press('Shift+ArrowDown', at(3, 1), extendTo(selectCell(at(3, 1)), at(6, 1)));
    expect(spies.cell).toHaveBeenLastCalledWith(at(7, 1), 'extend');
    press('Ctrl+Shift+End', at(3, 1));
    expect(spies.cell).toHaveBeenLastCalledWith(at(99, 2), 'extend');
    press('Shift+ArrowUp', at(0, 1));
    expect(spies.cell).toHaveBeenLastCalledWith(at(0, 1), 'extend');
  });

  it('bring what begins beside the frozen columns into sight with Home', () => {
    press('Ctrl+Home', at(30, 2));
    expect(spies.cell).toHaveBeenLastCalledWith(at(0, 0), 'new');
    expect(spies.show.mock.calls).toEqual([[at(0, 0)], [at(HEADER_ROW, 1)]]);
  });

  it('select rows, columns and everything, and go back to one cell', () => {
    press('Shift+Space', at(3, 1));
    press('Ctrl+Space', at(3, 1));
    press('Ctrl+a', at(3, 1));
    expect(spies.row).toHaveBeenCalledWith(3);
    expect(spies.column).toHaveBeenCalledWith(1);
    expect(spies.all).toHaveBeenCalledOnce();
    expect(press('Escape', at(3, 1))).toBe(false);
    expect(press('Escape', at(3, 1), extendTo(selectCell(at(3, 1)), at(4, 1)))).toBe(true);
    expect(spies.collapse).toHaveBeenCalledOnce();
  });

  it('let Tab go along the row and out of the grid, and round a range', () => {
    press('Tab', at(3, 1));
    expect(spies.cell).toHaveBeenLastCalledWith(at(3, 2), 'new');
    expect(press('Tab', at(3, 2))).toBe(false);
    expect(press('Shift+Tab', at(3, 0))).toBe(false);
    expect(press('Tab', undefined)).toBe(false);
    press('Tab', at(3, 1), extendTo(selectCell(at(3, 1)), at(4, 1)));
    expect(spies.activate).toHaveBeenLastCalledWith(at(4, 1));
  });

  it('open a cell by Enter, and go down a range', () => {
    press('Enter', at(3, 1));
    expect(spies.open).toHaveBeenCalledWith(at(3, 1));
    press('Enter', at(3, 1), extendTo(selectCell(at(3, 1)), at(4, 2)));
    expect(spies.activate).toHaveBeenLastCalledWith(at(4, 1));
  });

  it('open the menu, copy, and leave End to the browser', () => {
    press('Shift+F10', at(3, 1));
    press('ContextMenu', at(HEADER_ROW, 1));
    press('Alt+ArrowDown', at(HEADER_ROW, 2));
    expect(spies.onMenuKey.mock.calls).toEqual([[at(3, 1)], [at(HEADER_ROW, 1)], [at(HEADER_ROW, 2)]]);
    press('Ctrl+c', at(3, 1));
    expect(spies.copy).toHaveBeenCalledOnce();
    spies.goToEnd.mockReturnValueOnce(true);
    press('Ctrl+End', at(3, 1));
    expect(spies.cell).not.toHaveBeenCalled();
  });

  it('sort, move and widen in the header', () => {
    press('Shift+Enter', at(HEADER_ROW, 1));
    press('Enter', at(HEADER_ROW, 0));
    expect(spies.sort.mock.calls).toEqual([['a', true]]);
    press('Alt+Shift+ArrowRight', at(HEADER_ROW, 1));
    expect(spies.moveColumn).toHaveBeenCalledWith('a', 2);
    press('Alt+ArrowLeft', at(HEADER_ROW, 1));
    expect(spies.onResize).toHaveBeenCalledWith('a', 84);
    press('ArrowDown', at(HEADER_ROW, 1));
    expect(spies.cell).toHaveBeenLastCalledWith(at(0, 1), 'new');
  });

  it('leave what they do not know to others', () => {
    expect(press('x', at(3, 1))).toBe(false);
    expect(press('Alt+ArrowDown', at(3, 1))).toBe(false);
    expect(press('F2', at(3, 1))).toBe(false);
  });
});
