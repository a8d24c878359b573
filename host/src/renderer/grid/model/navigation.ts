/** The row number of the header, which the arrow keys reach above the first row. */
export const HEADER_ROW = -1;

/** A cell by the position of its row and column. */
export interface CellPosition {
  /** {@link HEADER_ROW} for the header. */
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows that fit on the screen: what Page Up and Page Down move by. */
  readonly screenRows: number;
}

export interface GridKeyPress {
  readonly key: string;
  /** Ctrl, or ⌘ on a Mac. */
  readonly command: boolean;
}

const clamp = (value: number, count: number): number => Math.min(Math.max(0, value), Math.max(0, count - 1));

/** Where a key moves the active cell, as in a spreadsheet; undefined when the key moves nothing. */
export function moveBy(from: CellPosition, { key, command }: GridKeyPress, size: GridSize): CellPosition | undefined {
  const to = (row: number, column: number): CellPosition => ({ row: clamp(row, size.rows), column: clamp(column, size.columns) });
  const inRow = (column: number): CellPosition => ({ row: from.row, column: clamp(column, size.columns) });
  switch (key) {
    case 'ArrowUp':
      if (!command && from.row <= 0) return { row: HEADER_ROW, column: clamp(from.column, size.columns) };
      return to(command ? 0 : from.row - 1, from.column);
    case 'ArrowDown':
      return to(command ? size.rows - 1 : from.row + 1, from.column);
    case 'ArrowLeft':
      return inRow(command ? 0 : from.column - 1);
    case 'ArrowRight':
      return inRow(command ? size.columns - 1 : from.column + 1);
    case 'Home':
      return command ? to(0, 0) : inRow(0);
    case 'End':
      return command ? to(size.rows - 1, size.columns - 1) : inRow(size.columns - 1);
    case 'PageUp':
      return to(from.row - Math.max(1, size.screenRows - 1), from.column);
    case 'PageDown':
      return to(from.row + Math.max(1, size.screenRows - 1), from.column);
    default:
      return undefined;
  }
}
