import { isAbsent, rowKeyText } from '@tabularium/sdk';
import type { Cell, ColumnKind } from '@tabularium/sdk';
import type { Edit } from '../../common/editing.ts';
import { HostError } from '../../common/errors.ts';
import { hostSentence } from '../../common/hostSentences.ts';
import { sameCell } from './cellEquality.ts';
import { newRowId } from './newRowId.ts';
import type { RowContent } from './stagedContent.ts';

type StagedCells = RowContent['cells'];

/** The result of an edit of a row: null, when nothing is staged for it any more. */
export interface MergedRow {
  readonly rowId: string;
  readonly after: RowContent | null;
}

/** The facts about the table that merging needs. */
export interface MergeContext {
  /** The row as it is staged now, edits of the same step included. */
  staged(rowId: string): RowContent | undefined;
  kindOf(column: string): ColumnKind;
  /** Of the table, for a row that was not staged before. */
  readonly tableIdentity: string | undefined;
  /** The position for a row that was not staged before. */
  nextPosition(): number;
}

/** Merges one edit with what is staged for its row. @throws HostError `NOT_EDITABLE`, `INVALID_REQUEST` */
export function mergeEdit(edit: Edit, context: MergeContext): MergedRow {
  if (edit.kind === 'insert') return inserted(edit.values, context);
  const rowId = 'key' in edit.row ? rowKeyText(edit.row.key) : edit.row.inserted;
  const before = context.staged(rowId);
  if (!('key' in edit.row) && before?.kind !== 'insert') {
    throw new HostError('INVALID_REQUEST', 'The inserted row is no longer staged.');
  }
  const after = edit.kind === 'delete' ? deleted(rowId, edit, before, context) : updated(rowId, edit, before, context);
  // As it was seen first: a page that was read since may be of another table.
  const tableIdentity = before === undefined ? context.tableIdentity : before.tableIdentity;
  return { rowId, after: after === null || tableIdentity === undefined ? after : { ...after, tableIdentity } };
}

function inserted(values: readonly { column: string; value: Cell }[], context: MergeContext): MergedRow {
  const { tableIdentity } = context;
  const rowId = newRowId();
  const cells = values.reduce<StagedCells>((all, { column, value }) => withInsertedCell(all, column, value), []);
  const row = { id: rowId, position: context.nextPosition(), kind: 'insert' as const, cells };
  return { rowId, after: tableIdentity === undefined ? row : { ...row, tableIdentity } };
}

function deleted(
  rowId: string,
  { row, seen, seenWhole }: Edit & { kind: 'delete' },
  before: RowContent | undefined,
  context: MergeContext,
): RowContent | null {
  if (before?.kind === 'insert' || !('key' in row)) return null;
  return {
    id: rowId,
    position: before?.position ?? context.nextPosition(),
    kind: 'delete',
    key: row.key,
    cells: [],
    ...firstSeen(before, seen),
    ...(seenWhole === true && before?.seen === undefined ? { seenWhole } : {}),
  };
}

/** The row as it was seen first stays, as the originals of cells do. */
function firstSeen(before: RowContent | undefined, seen: RowContent['seen']): Pick<RowContent, 'seen'> {
  const first = before?.seen ?? seen;
  return first === undefined ? {} : { seen: first };
}

function updated(
  rowId: string,
  edit: Edit & { kind: 'update' },
  before: RowContent | undefined,
  context: MergeContext,
): RowContent | null {
  if (before?.kind === 'delete') {
    throw new HostError('NOT_EDITABLE', 'This row is staged for deletion.', {
      details: { advice: 'Undo the deletion first.' },
    });
  }
  if (before?.kind === 'insert') {
    const cells = edit.cells.reduce((all, { column, value }) => withInsertedCell(all, column, value), before.cells);
    return { ...before, cells };
  }
  const cells = edit.cells.reduce((all, cell) => withUpdatedCell(all, cell, context), before?.cells ?? []);
  if (cells.length === 0) return null;
  const key = 'key' in edit.row ? edit.row.key : undefined;
  return {
    id: rowId,
    position: before?.position ?? context.nextPosition(),
    kind: 'update',
    ...(key === undefined ? {} : { key }),
    cells,
    ...firstSeen(before, edit.seen),
  };
}

/** A field that is absent from an inserted row is left out. */
function withInsertedCell(cells: StagedCells, column: string, value: Cell): StagedCells {
  if (isAbsent(value)) return cells.filter((cell) => cell.column !== column);
  return replaced(cells, { column, value });
}

/**
 * The original of the first change is kept: a page that was read since may show another value.
 *
 * @throws HostError `INVALID_REQUEST` for a first change without an original, which no save could compare
 */
function withUpdatedCell(
  cells: StagedCells,
  { column, value, original }: { column: string; value: Cell; original?: Cell | undefined },
  context: MergeContext,
): StagedCells {
  const staged = cells.find((cell) => cell.column === column);
  // A window may still show as staged what another one has saved or discarded since.
  if (staged === undefined && original === undefined)
    throw new HostError('INVALID_REQUEST', hostSentence('cellWithoutOriginal', { column }), { details: { field: column } });
  const first = staged === undefined ? original : staged.original;
  if (first !== undefined && sameCell(first, value, context.kindOf(column))) return cells.filter((cell) => cell !== staged);
  return replaced(cells, { column, value, ...(first === undefined ? {} : { original: first }) });
}

function replaced(cells: StagedCells, cell: StagedCells[number]): StagedCells {
  return cells.some(({ column }) => column === cell.column)
    ? cells.map((other) => (other.column === cell.column ? cell : other))
    : [...cells, cell];
}
