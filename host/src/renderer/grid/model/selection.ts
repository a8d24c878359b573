import type { CellPosition } from './navigation.ts';

/** A rectangle of cells; all bounds belong to it. `Infinity` as a bound: to the end, wherever that is. */
export interface CellRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** A row of whole numbers without gaps. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

/** The selection. A grid in which a cell is active has one; it may be that one cell. */
export interface Selection {
  /** The last one is the one that grows. */
  readonly ranges: readonly CellRange[];
  /** Where the last range began: the active cell. */
  readonly anchor: CellPosition;
  /** Where it ends: what the keyboard with Shift moves. */
  readonly lead: CellPosition;
}

export interface SelectionSize {
  readonly rows: number;
  readonly columns: number;
}

type Shape = 'cells' | 'rows' | 'columns';

const oneCell = ({ row, column }: CellPosition): CellRange => ({ top: row, bottom: row, left: column, right: column });

function shapeOf(range: CellRange | undefined): Shape {
  if (range?.right === Number.POSITIVE_INFINITY) return 'rows';
  return range?.bottom === Number.POSITIVE_INFINITY ? 'columns' : 'cells';
}

function between(one: CellPosition, other: CellPosition, shape: Shape): CellRange {
  const rows = { top: Math.min(one.row, other.row), bottom: Math.max(one.row, other.row) };
  const columns = { left: Math.min(one.column, other.column), right: Math.max(one.column, other.column) };
  if (shape === 'rows') return { ...rows, left: 0, right: Number.POSITIVE_INFINITY };
  if (shape === 'columns') return { ...columns, top: 0, bottom: Number.POSITIVE_INFINITY };
  return { ...rows, ...columns };
}

export function selectCell(position: CellPosition): Selection {
  return { ranges: [oneCell(position)], anchor: position, lead: position };
}

/** The last range reaches to a position now, in the shape that it has. */
export function extendTo(selection: Selection, position: CellPosition): Selection {
  const shape = shapeOf(selection.ranges.at(-1));
  return {
    ...selection,
    ranges: [...selection.ranges.slice(0, -1), between(selection.anchor, position, shape)],
    lead: position,
  };
}

/** One more range, which begins at a cell. */
export function addCell(selection: Selection | undefined, position: CellPosition): Selection {
  return { ranges: [...(selection?.ranges ?? []), oneCell(position)], anchor: position, lead: position };
}

export function selectRow(row: number, column: number): Selection {
  const at = { row, column };
  return { ranges: [between(at, at, 'rows')], anchor: at, lead: at };
}

export function selectColumn(column: number, row: number): Selection {
  const at = { row, column };
  return { ranges: [between(at, at, 'columns')], anchor: at, lead: at };
}

export function selectAll(anchor: CellPosition): Selection {
  return {
    ranges: [{ top: 0, left: 0, bottom: Number.POSITIVE_INFINITY, right: Number.POSITIVE_INFINITY }],
    anchor,
    lead: anchor,
  };
}

/** Takes a whole row into the selection, or out of it. */
export function toggleRow(selection: Selection | undefined, row: number, column: number): Selection {
  const at = { row, column };
  const rows = (selection?.ranges ?? []).filter((range) => shapeOf(range) === 'rows');
  const without = rows.flatMap((range): CellRange[] => {
    if (row < range.top || row > range.bottom) return [range];
    return [
      { ...range, bottom: row - 1 },
      { ...range, top: row + 1 },
    ].filter(({ top, bottom }) => bottom >= top);
  });
  const isTaken = rows.some(({ top, bottom }) => row >= top && row <= bottom);
  const ranges = isTaken ? without : [...rows, between(at, at, 'rows')];
  return ranges.length === 0 ? selectCell(at) : { ranges, anchor: at, lead: at };
}

/** Takes a whole column into the selection, or out of it. */
export function toggleColumn(selection: Selection | undefined, column: number, row: number): Selection {
  const at = { row, column };
  const columns = (selection?.ranges ?? []).filter((range) => shapeOf(range) === 'columns');
  const others = columns.filter(({ left, right }) => left !== column || right !== column);
  const ranges = others.length < columns.length ? others : [...others, between(at, at, 'columns')];
  return ranges.length === 0 ? selectCell(at) : { ranges, anchor: at, lead: at };
}

/** The same rows after some came or went above them. */
export function shiftedRows(selection: Selection, by: number): Selection {
  const move = ({ row, column }: CellPosition): CellPosition => ({ row: row < 0 ? row : Math.max(0, row + by), column });
  return {
    ranges: selection.ranges.map((range) =>
      shapeOf(range) === 'columns' || range.bottom === Number.POSITIVE_INFINITY
        ? range
        : { ...range, top: Math.max(0, range.top + by), bottom: Math.max(0, range.bottom + by) },
    ),
    anchor: move(selection.anchor),
    lead: move(selection.lead),
  };
}

/** Whether there is more to it than the active cell. */
export function isMultiple({ ranges }: Selection): boolean {
  const [range] = ranges;
  return ranges.length > 1 || range === undefined || range.top !== range.bottom || range.left !== range.right;
}

/** The ranges with bounds that exist. */
function clipped(ranges: readonly CellRange[], { rows, columns }: SelectionSize): readonly CellRange[] {
  return ranges.flatMap(({ top, left, bottom, right }) => {
    const range = { top, left, bottom: Math.min(bottom, rows - 1), right: Math.min(right, columns - 1) };
    return range.bottom < range.top || range.right < range.left || range.top < 0 ? [] : [range];
  });
}

function merged(intervals: readonly Interval[]): readonly Interval[] {
  const result: Interval[] = [];
  for (const interval of intervals.toSorted((one, other) => one.first - other.first)) {
    const before = result.at(-1);
    if (before !== undefined && interval.first <= before.last + 1) {
      result[result.length - 1] = { first: before.first, last: Math.max(before.last, interval.last) };
    } else {
      result.push(interval);
    }
  }
  return result;
}

/** The rows in which something is selected, each once and in order. */
export function rowsIn(ranges: readonly CellRange[], size: SelectionSize): readonly Interval[] {
  return merged(clipped(ranges, size).map(({ top, bottom }) => ({ first: top, last: bottom })));
}

export function lengthOf(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** The numbers of some intervals, in order. */
function* numbersIn(intervals: readonly Interval[]): Generator<number> {
  for (const { first, last } of intervals) for (let number = first; number <= last; number += 1) yield number;
}

/** Rows and columns that are selected crosswise, so that they make a table of their own. */
export interface SelectedBlock {
  readonly rows: readonly Interval[];
  readonly columns: readonly number[];
}

const spans = (ranges: readonly CellRange[], side: (range: CellRange) => string): number => new Set(ranges.map(side)).size;

/** The selection as rows by columns; undefined where its ranges share neither, so that no table can be made of it. */
export function blockOf(ranges: readonly CellRange[], size: SelectionSize): SelectedBlock | undefined {
  const present = clipped(ranges, size);
  if (present.length === 0) return undefined;
  const sameColumns = spans(present, ({ left, right }) => `${left} ${right}`) === 1;
  const sameRows = spans(present, ({ top, bottom }) => `${top} ${bottom}`) === 1;
  if (!sameColumns && !sameRows) return undefined;
  const columns = merged(present.map(({ left, right }) => ({ first: left, last: right })));
  return { rows: rowsIn(ranges, size), columns: [...numbersIn(columns)] };
}

/** How many cells are selected, each counted once. Ranges that overlap are few: a person who adds cells one by one adds some hundreds. */
export function cellCount(ranges: readonly CellRange[], size: SelectionSize): number {
  const present = clipped(ranges, size);
  const edges = [...new Set(present.flatMap(({ top, bottom }) => [top, bottom + 1]))].toSorted((one, other) => one - other);
  let count = 0;
  for (const [place, top] of edges.entries()) {
    const below = edges[place + 1];
    if (below === undefined) break;
    const columns = merged(
      present.filter((range) => range.top <= top && range.bottom >= top).map(({ left, right }) => ({ first: left, last: right })),
    );
    count += lengthOf(columns) * (below - top);
  }
  return count;
}

/** The selected columns of one row as a text, such as `0-3 7-7`: rows with the same text look the same. */
export function selectedInRow(ranges: readonly CellRange[], row: number): string | undefined {
  let text = '';
  for (const { top, bottom, left, right } of ranges) {
    if (row < top || row > bottom) continue;
    text += `${text === '' ? '' : ' '}${left}-${right}`;
  }
  return text === '' ? undefined : text;
}

/** Reads what {@link selectedInRow} wrote. */
export function readSelected(text: string | undefined): readonly Interval[] {
  if (text === undefined) return [];
  return text.split(' ').map((part) => {
    const [first, last] = part.split('-');
    return { first: Number(first), last: Number(last) };
  });
}

/** The next cell within the last range, as Tab (along the rows) and Enter (down the columns) go through it; round at its end. */
export function nextWithin(
  selection: Selection,
  key: 'Tab' | 'Enter',
  backwards: boolean,
  size: SelectionSize,
): CellPosition | undefined {
  const [range] = clipped(selection.ranges.slice(-1), size);
  if (range === undefined) return undefined;
  const height = range.bottom - range.top + 1;
  const width = range.right - range.left + 1;
  const row = Math.min(height - 1, Math.max(0, selection.anchor.row - range.top));
  const column = Math.min(width - 1, Math.max(0, selection.anchor.column - range.left));
  const step = backwards ? height * width - 1 : 1;
  const place = ((key === 'Tab' ? row * width + column : column * height + row) + step) % (height * width);
  return key === 'Tab'
    ? { row: range.top + Math.floor(place / width), column: range.left + (place % width) }
    : { row: range.top + (place % height), column: range.left + Math.floor(place / height) };
}

/** Another cell becomes the active one; what is selected stays. */
export function withActive(selection: Selection, position: CellPosition): Selection {
  return { ...selection, anchor: position, lead: position };
}
