import type { Cell, Column, ColumnKind, PageCell } from '@tabularium/sdk';
import { ABSENT, isAbsent, isUnread } from '@tabularium/sdk';
import { cellJson } from '../../common/cellJson.ts';
import type { Edit, EditedRow } from '../../common/editing.ts';
import { numeralOf } from '../grid/model/losslessJson.ts';
import type { GridRow } from '../grid/model/pageCache.ts';
import { wholeCell } from '../grid/model/wholeRows.ts';
import type { PastedField, PastedTable } from './clipboardTable.ts';
import { valueOf } from './editValue.ts';
import type { CheckedKind } from './editValue.ts';
import { MOST_SEEN_CELLS, seenRow } from './seenRow.ts';

/** Why a field cannot be staged. `reason` is the driver's own. */
export type PasteFault =
  | { readonly fault: 'kind'; readonly kind: CheckedKind }
  | { readonly fault: 'notNullable' | 'noColumn' | 'rowDeleted' }
  | { readonly fault: 'readOnly'; readonly reason: string };

/** One field beside what it would become. */
export interface PlannedCell {
  readonly column: string | undefined;
  readonly shown: string;
  /** Absent where nothing is to be staged: the field says nothing, or the cell has that value. */
  readonly value?: Cell;
  readonly fault?: PasteFault;
}

export interface PlannedRow {
  /** Undefined: a new row. */
  readonly target?: EditedRow;
  readonly cells: readonly PlannedCell[];
}

export interface PastePlan {
  readonly rows: readonly PlannedRow[];
  /** One step of undo. Fields with a fault are not in it. */
  readonly edits: readonly Edit[];
  readonly cells: number;
  readonly newRows: number;
  readonly faults: number;
}

/** An existing row that fields are pasted into. */
export interface PasteTarget {
  readonly row: EditedRow;
  /** The row as the server has it; absent for one that is staged to be inserted. */
  readonly base?: GridRow | undefined;
  /** The row as it is staged. */
  readonly values: GridRow;
  readonly isDeleted: boolean;
}

/** A column with its place in a row. */
export interface PasteColumn extends Pick<Column, 'name' | 'kind' | 'nullable' | 'editable'> {
  readonly source: number;
}

type Parsed = { readonly value?: Cell } | { readonly fault: PasteFault };

function ofText(text: string, kind: ColumnKind): Parsed {
  const edited = valueOf(text, kind);
  return edited.ok ? { value: edited.value } : { fault: { fault: 'kind', kind: edited.kind } };
}

function parse(field: PastedField, { kind, nullable }: PasteColumn, isNew: boolean): Parsed {
  const nothing = (): Parsed => {
    if (nullable) return { value: null };
    return kind === 'text' ? { value: '' } : { fault: { fault: 'notNullable' } };
  };
  if (field.form === 'text') {
    const isEmpty = field.text === '';
    if (!isEmpty) return ofText(field.text, kind);
    if (field.quoted && kind === 'text') return { value: '' };
    return isNew ? {} : nothing();
  }
  const { value } = field;
  if (value === undefined) return {};
  if (value === null) return nullable ? { value: null } : { fault: { fault: 'notNullable' } };
  const numeral = numeralOf(value);
  if (kind === 'json') return { value: JSON.stringify(value) };
  if (typeof value === 'boolean') return kind === 'boolean' ? { value } : ofText(String(value), kind);
  if (typeof value === 'string') return ofText(value, kind);
  return ofText(numeral ?? JSON.stringify(value), kind);
}

function shownOf(field: PastedField): string {
  if (field.form === 'text') return field.text;
  if (field.value === undefined) return '';
  return typeof field.value === 'string' ? field.value : JSON.stringify(field.value);
}

/** The meaning of a cell, so that the same digits are the same number whether a double could hold them or not. */
function meaning(cell: Cell, kind: ColumnKind): string {
  if (cell === null || isAbsent(cell)) return '';
  return cellJson(cell, kind) ?? '';
}

const saysNothing = (field: PastedField): boolean => field.form === 'text' && field.text === '' && !field.quoted;

/** Whether a cell is what a field says already: what was copied can be pasted back, also null and absent, which are both copied as nothing. */
function isSame(field: PastedField, now: PageCell, kind: ColumnKind, value: Cell | undefined): boolean {
  // An unread value may be anything.
  if (isUnread(now)) return false;
  if (saysNothing(field)) return now === null || isAbsent(now);
  return value !== undefined && now !== null && !isAbsent(now) && meaning(now, kind) === meaning(value, kind);
}

function planCell(field: PastedField, column: PasteColumn | undefined, target: PasteTarget | undefined): PlannedCell {
  const shown = shownOf(field);
  if (column === undefined)
    return { column: undefined, shown, ...(shown === '' ? {} : { fault: { fault: 'noColumn' } as const }) };
  const base = { column: column.name, shown };
  const now = target?.values[column.source] ?? null;
  const parsed = parse(field, column, target === undefined);
  // A cell that stays as it is may also be read-only: rows are pasted back with their keys.
  if (target !== undefined && isSame(field, now, column.kind, 'value' in parsed ? parsed.value : undefined)) return base;
  if ('fault' in parsed) return { ...base, fault: parsed.fault };
  if (parsed.value === undefined) return base;
  if (target?.isDeleted === true) return { ...base, fault: { fault: 'rowDeleted' } };
  const isExisting = target !== undefined && 'key' in target.row;
  if (isExisting && !column.editable.allowed) return { ...base, fault: { fault: 'readOnly', reason: column.editable.reason } };
  return { ...base, value: parsed.value };
}

/**
 * The changes that pasting would stage.
 *
 * @param columns - those that the fields of a line go into, in order; where the text has names, all of the table
 * @param targets - the existing rows, in order; further lines become new rows
 * @param all - every column of the table, so that a step keeps the rows as they were seen
 */
export function planPaste(
  table: PastedTable,
  columns: readonly PasteColumn[],
  targets: readonly PasteTarget[],
  all: readonly PasteColumn[] = columns,
): PastePlan {
  const { names } = table;
  const columnOf = (place: number): PasteColumn | undefined =>
    names === undefined ? columns[place] : columns.find(({ name }) => name === names[place]);
  const rows = table.rows.map((fields, index): PlannedRow => {
    const target = targets[index];
    const cells = fields.map((field, place) => planCell(field, columnOf(place), target));
    return { cells, ...(target === undefined ? {} : { target: target.row }) };
  });
  const keepsSeen = targets.length * all.length <= MOST_SEEN_CELLS;
  const edits = rows.flatMap(({ target, cells }, index): Edit[] => {
    const staged = cells.flatMap(({ column, value }) => (column === undefined || value === undefined ? [] : [{ column, value }]));
    if (target === undefined) {
      // A line of which nothing can be staged makes no empty row.
      return staged.length === 0 && cells.some(({ fault }) => fault !== undefined) ? [] : [{ kind: 'insert', values: staged }];
    }
    if (staged.length === 0) return [];
    const base = targets[index]?.base;
    return [
      {
        kind: 'update',
        row: target,
        ...(base === undefined || !keepsSeen ? {} : { seen: seenRow(base, all) }),
        cells: staged.map(({ column, value }) => {
          const source = columns.find(({ name }) => name === column)?.source;
          const original = source === undefined ? undefined : base?.[source];
          return { column, value, ...(original === undefined ? {} : { original: wholeCell(original) }) };
        }),
      },
    ];
  });
  const planned = rows.flatMap(({ cells }) => cells);
  return {
    rows,
    edits,
    cells: planned.filter(({ value }) => value !== undefined).length,
    newRows: edits.filter(({ kind }) => kind === 'insert').length,
    faults: planned.filter(({ fault }) => fault !== undefined).length,
  };
}

/** The same text for every cell of a range, as a spreadsheet fills a selection with one value. */
export function repeated(field: PastedField, rows: number, columns: number): readonly (readonly PastedField[])[] {
  const line = Array.from({ length: columns }, () => field);
  return Array.from({ length: rows }, () => line);
}

/** A row as it would be inserted: columns that the database fills, or that it does not accept, are left to it. @throws ReportedProblem for a placeholder */
export function duplicateOf(row: GridRow, columns: readonly (PasteColumn & { readonly isKey: boolean })[]): Edit {
  return {
    kind: 'insert',
    values: columns.flatMap(({ name, source, isKey, editable }) => {
      if (isKey || !editable.allowed) return [];
      const value = wholeCell(row[source] ?? null);
      return Array.isArray(value) && value[0] === ABSENT[0] ? [] : [{ column: name, value }];
    }),
  };
}
