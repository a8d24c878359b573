import type { Cell, Column, ColumnKind, PageCell } from '@tabularium/sdk';
import { isAbsent, isUnread } from '@tabularium/sdk';
import { cellJson } from '../../common/cellJson.ts';
import type { Edit, EditedRow } from '../../common/editing.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import { wholeText } from '../grid/model/cellText.ts';
import { nodeText } from '../grid/model/jsonTree.ts';
import type { JsonNode } from '../grid/model/jsonTree.ts';
import type { GridRow } from '../grid/model/pageCache.ts';
import { EMPTY_DOCUMENT, documentChanges, jsonText, memberOf, repeatedIn, withCells } from '../grid/model/rowDocument.ts';
import type { DocumentChange, DocumentColumn, DocumentFault, DocumentNode } from '../grid/model/rowDocument.ts';
import type { PastedField, PastedTable } from './clipboardTable.ts';
import { editOfDocument } from './documentEdits.ts';
import type { EditFault } from './editFault.ts';
import { valueOf } from './editValue.ts';
import { originalOf } from './originalOf.ts';
import { MOST_SEEN_CELLS, seenRow } from './seenRow.ts';

/** Why a field cannot be staged. `reason` is the driver's own. */
export type PasteFault =
  | EditFault
  | { readonly fault: 'notNullable' | 'noColumn' | 'rowDeleted' | 'rowLeftOut' }
  | { readonly fault: 'twice'; readonly name: string }
  | { readonly fault: 'readOnly'; readonly reason: string };

/** One field beside what it would become. */
export interface PlannedCell {
  readonly column: string | undefined;
  readonly shown: string;
  /** Absent where nothing is to be staged: the field says nothing, or the cell has that value. */
  readonly value?: Cell;
  /** Of a member of a document that no column names: what it changes. */
  readonly changes?: readonly DocumentChange[];
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
  /** The members that no column names and that would be staged. */
  readonly undeclared: readonly string[];
}

/** An existing row that fields are pasted into. */
export interface PasteTarget {
  readonly row: EditedRow;
  /** The row as the server has it; absent for one that is staged to be inserted. */
  readonly base?: GridRow | undefined;
  /** The row as it is staged. */
  readonly values: GridRow;
  readonly isDeleted: boolean;
  /** The same row in the grid, with what is staged for it. */
  readonly at?: EditableRow;
  /** The row as the database returned it, where rows are documents. */
  readonly document?: DocumentNode;
}

/** A column with its place in a row. */
export interface PasteColumn extends Pick<
  Column,
  'name' | 'kind' | 'nullable' | 'editable' | 'range' | 'specialValues' | 'values'
> {
  readonly source: number;
  /** A new row takes a value in its key, also where that can't be changed later. */
  readonly isKey?: boolean;
}

type Parsed = { readonly value?: Cell } | { readonly fault: PasteFault };

function ofText(text: string, column: PasteColumn): Parsed {
  const edited = valueOf(text, column);
  return edited.ok ? { value: edited.value } : { fault: edited.fault };
}

function parse(field: PastedField, column: PasteColumn, isNew: boolean): Parsed {
  const { kind, nullable } = column;
  const nothing = (): Parsed => {
    if (nullable) return { value: null };
    return kind === 'text' ? { value: '' } : { fault: { fault: 'notNullable' } };
  };
  if (field.form === 'text') {
    const isEmpty = field.text === '';
    if (!isEmpty) return ofText(field.text, column);
    if (field.quoted && kind === 'text') return { value: '' };
    return isNew ? {} : nothing();
  }
  const { value } = field;
  if (value === undefined) return {};
  if (value.is === 'word' && value.text === 'null') return nullable ? { value: null } : { fault: { fault: 'notNullable' } };
  return kind === 'json' ? { value: jsonText(value) } : ofText(nodeText(value), column);
}

function shownOf(field: PastedField): string {
  if (field.form === 'text') return field.text;
  return field.value === undefined ? '' : nodeText(field.value);
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
  // Bytes are copied in base64, also those that could be hexadecimal and are refused where they are typed.
  if (kind === 'bytes' && now !== null && wholeText(now, kind).text === shownOf(field).trim()) return !isAbsent(now);
  return value !== undefined && now !== null && !isAbsent(now) && meaning(now, kind) === meaning(value, kind);
}

/** A member of documents that no column names. */
interface PastedMember {
  readonly name: string;
  readonly columns: readonly DocumentColumn[];
  readonly kinds: ReadonlyMap<string, ColumnKind>;
}

/** A part of a document that no column names is as much a part of it: it is never left out. */
function planMember(
  pasted: JsonNode,
  shown: string,
  { name, columns, kinds }: PastedMember,
  target: PasteTarget | undefined,
): PlannedCell {
  if (target === undefined) return { column: name, shown, changes: [{ column: name, value: ['json', jsonText(pasted)] }] };
  const { document = EMPTY_DOCUMENT, at } = target;
  const before = memberOf(withCells(document, at?.staged?.cells ?? [], kinds), name);
  const { changes, faults } = documentChanges(
    before === undefined ? EMPTY_DOCUMENT : { ...EMPTY_DOCUMENT, members: [[name, before]] },
    { ...EMPTY_DOCUMENT, members: [[name, pasted]] },
    columns,
  );
  const [fault] = faults;
  if (fault !== undefined) return { column: name, shown, fault: memberFault(fault) };
  if (changes.length === 0) return { column: name, shown };
  return target.isDeleted ? { column: name, shown, fault: { fault: 'rowDeleted' } } : { column: name, shown, changes };
}

function memberFault(fault: DocumentFault): PasteFault {
  switch (fault.is) {
    case 'readOnly':
      return { fault: 'readOnly', reason: fault.reason };
    case 'null':
      return { fault: 'notNullable' };
    case 'range':
      return { fault: 'range', range: fault.range };
    case 'type':
      return { fault: 'kind', kind: fault.wanted === 'number' ? 'decimal' : fault.wanted === 'text' ? 'json' : fault.wanted };
    case 'twice':
    case 'ambiguous':
      return { fault: 'twice', name: fault.name };
  }
}

/**
 * A name that an object has twice: one of the two would be lost. Inside of a value that is a loss for documents alone; a column of JSON takes its text as
 * it is.
 */
function nameTwice(field: PastedField, name: string, isOfDocument: boolean): string | undefined {
  if (field.form === 'text' || field.value === undefined) return undefined;
  if (field.isRepeated === true) return name;
  return isOfDocument ? repeatedIn(field.value, []).next().value?.name : undefined;
}

function planCell(
  field: PastedField,
  column: PasteColumn | undefined,
  target: PasteTarget | undefined,
  member: PastedMember | undefined,
): PlannedCell {
  const shown = shownOf(field);
  const twice = nameTwice(field, column?.name ?? member?.name ?? '', member !== undefined);
  if (twice !== undefined) return { column: column?.name ?? member?.name, shown, fault: { fault: 'twice', name: twice } };
  if (column === undefined && member !== undefined && field.form === 'json' && field.value !== undefined)
    return planMember(field.value, shown, member, target);
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
  if ((isExisting || column.isKey === false) && !column.editable.allowed)
    return { ...base, fault: { fault: 'readOnly', reason: column.editable.reason } };
  return { ...base, value: parsed.value };
}

/** A new row is left out where a name in it is ambiguous: without that field it would be another row than the copied one. */
function withoutAmbiguous(cells: readonly PlannedCell[]): readonly PlannedCell[] {
  if (!cells.some(({ fault }) => fault?.fault === 'twice')) return cells;
  return cells.map(({ column, shown, value, changes, fault }): PlannedCell => {
    const leaves = fault === undefined && (value !== undefined || changes !== undefined);
    return { column, shown, ...(leaves ? { fault: { fault: 'rowLeftOut' } } : fault === undefined ? {} : { fault }) };
  });
}

/** Cells that are planned between two looks at the clock. */
const CELLS_AT_ONCE = 200;

/** The facts about a paste. */
export interface Pasting {
  readonly table: PastedTable;
  /** Those that the fields of a line go into, in order; where the text has names, all of the table. */
  readonly columns: readonly PasteColumn[];
  /** The existing rows, in order; further lines become new rows. */
  readonly targets: readonly PasteTarget[];
  /** Every column of the table, so that a step keeps the rows as they were seen. */
  readonly all?: readonly PasteColumn[];
  /** Whether rows hold what no column names, too. */
  readonly areDocuments?: boolean;
}

/** {@link planSteps} in one go, for a few rows. */
export function planPaste(
  table: PastedTable,
  columns: readonly PasteColumn[],
  targets: readonly PasteTarget[],
  all: readonly PasteColumn[] = columns,
  areDocuments = false,
): PastePlan {
  const steps = planSteps({ table, columns, targets, all, areDocuments });
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** The changes that pasting would stage, a few cells at a time. It yields how many lines are planned. */
export function* planSteps({
  table,
  columns,
  targets,
  all = columns,
  areDocuments = false,
}: Pasting): Generator<number, PastePlan, undefined> {
  const { names } = table;
  const members: Omit<PastedMember, 'name'> = {
    columns: all.map(({ name, kind, nullable, editable, range }) => ({
      name,
      kind,
      nullable,
      range,
      refusal: editable.allowed ? undefined : editable.reason,
    })),
    kinds: new Map(all.map(({ name, kind }) => [name, kind])),
  };
  const memberOfPlace = (place: number): PastedMember | undefined => {
    const name = names?.[place];
    return name === undefined || !areDocuments ? undefined : { ...members, name };
  };
  const byName = new Map(columns.map((column) => [column.name, column]));
  const columnOf = (place: number): PasteColumn | undefined =>
    names === undefined ? columns[place] : byName.get(names[place] ?? '');
  const placed: string[] = [];
  for (const { name, source } of all) placed[source] = name;
  const keepsSeen = targets.length * all.length <= MOST_SEEN_CELLS;

  const editOf = (cells: readonly PlannedCell[], pasted: PasteTarget | undefined): Edit | undefined => {
    const ofMembers = cells.flatMap(({ changes = [] }) => changes);
    const ofColumns = cells.flatMap(({ column, value }) =>
      column === undefined || value === undefined ? [] : [{ column, value }],
    );
    const staged = [...ofColumns, ...ofMembers];
    if (pasted === undefined) {
      // A line of which nothing can be staged makes no empty row.
      return staged.length === 0 && cells.some(({ fault }) => fault !== undefined)
        ? undefined
        : { kind: 'insert', values: staged };
    }
    if (staged.length === 0) return undefined;
    const { row, base, at, document } = pasted;
    if (ofMembers.length > 0 && at !== undefined) {
      const seen = base === undefined || !keepsSeen ? [] : seenRow(base, all);
      const seenPart = { at: { ...at, base }, row, document, seen };
      return editOfDocument({ ...seenPart, description: { columns: all }, names: placed }, staged);
    }
    return {
      kind: 'update',
      row,
      ...(base === undefined || !keepsSeen ? {} : { seen: seenRow(base, all) }),
      cells: staged.map(({ column, value }) => {
        const source = byName.get(column)?.source;
        const original = source === undefined ? undefined : originalOf({ base, staged: at?.staged }, column, source);
        return { column, value, ...(original === undefined ? {} : { original }) };
      }),
    };
  };

  const rows: PlannedRow[] = [];
  const edits: Edit[] = [];
  const undeclared = new Set<string>();
  let [changed, newRows, faults, sinceYield] = [0, 0, 0, 0];
  for (const [index, fields] of table.rows.entries()) {
    const target = targets[index];
    const fieldByField: PlannedCell[] = [];
    for (const [place, field] of fields.entries()) {
      fieldByField.push(planCell(field, columnOf(place), target, memberOfPlace(place)));
      sinceYield += 1;
      if (sinceYield < CELLS_AT_ONCE) continue;
      sinceYield = 0;
      yield index;
    }
    const cells = target === undefined ? withoutAmbiguous(fieldByField) : fieldByField;
    for (const { column, value, changes, fault } of cells) {
      if (value !== undefined || changes !== undefined) changed += 1;
      if (changes !== undefined && column !== undefined) undeclared.add(column);
      if (fault !== undefined) faults += 1;
    }
    const edit = editOf(cells, target);
    if (edit !== undefined) edits.push(edit);
    if (edit?.kind === 'insert') newRows += 1;
    rows.push({ cells, ...(target === undefined ? {} : { target: target.row }) });
  }
  return { rows, edits, cells: changed, newRows, faults, undeclared: [...undeclared] };
}

/** The same text for every cell of a range, as a spreadsheet fills a selection with one value. */
export function repeated(field: PastedField, rows: number, columns: number): readonly (readonly PastedField[])[] {
  const line = Array.from({ length: columns }, () => field);
  return Array.from({ length: rows }, () => line);
}
