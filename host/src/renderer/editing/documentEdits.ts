import { ABSENT, isUnread } from '@tabularium/sdk';
import type { Cell, Column } from '@tabularium/sdk';
import type { Edit, EditedRow } from '../../common/editing.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import { EMPTY_DOCUMENT, documentCell, jsonText, memberOf, nodeAt, pathIn } from '../grid/model/rowDocument.ts';
import type { DocumentChange, DocumentNode } from '../grid/model/rowDocument.ts';

interface Target {
  readonly at: EditableRow;
  readonly row: EditedRow;
  /** The row as the database holds it; absent for one that is staged to be inserted. */
  readonly document: DocumentNode | undefined;
  readonly description: { readonly columns: readonly Pick<Column, 'name' | 'kind'>[] };
  /** The columns by their places in a row. */
  readonly names: readonly string[];
  readonly seen: readonly { readonly column: string; readonly value: Cell }[];
}

/** Changes of a document as one edit of its row. A member that is staged as a whole replaces what was staged for the columns inside it. */
export function editOfDocument(target: Target, changes: readonly DocumentChange[]): Edit | undefined {
  const { at, row, description } = target;
  if (changes.length === 0) return undefined;
  const described = new Set(description.columns.map(({ name }) => name));
  const members = changes.flatMap(({ column }) => (described.has(column) ? [] : [column]));
  const inside = (at.staged?.cells ?? []).filter(({ column }) => members.some((member) => column.startsWith(`${member}.`)));
  const reverted = inside.map(({ column, original }) => ({
    column,
    value: original ?? ABSENT,
    ...(original === undefined ? {} : { original }),
  }));
  const changed = changes.map(({ column, value }) => {
    const original = at.base === undefined ? undefined : originalIn(column, target);
    return { column, value, ...(original === undefined ? {} : { original }) };
  });
  return {
    kind: 'update',
    row,
    cells: [...reverted, ...changed],
    ...(at.base === undefined ? {} : { seen: [...target.seen] }),
  };
}

/** The cell before: as it was before its first change, as the page showed it, or as the document holds it. */
function originalIn(column: string, { at, document = EMPTY_DOCUMENT, description, names }: Target): Cell | undefined {
  const known = at.staged?.cells.find((cell) => cell.column === column)?.original;
  if (known !== undefined) return known;
  const described = description.columns.find(({ name }) => name === column);
  if (described === undefined) {
    const node = memberOf(document, column);
    return node === undefined ? ABSENT : ['json', jsonText(node)];
  }
  const cell = at.base?.[names.indexOf(column)];
  if (cell !== undefined && !isUnread(cell)) return cell;
  const path = pathIn(document, column);
  const node = path === undefined ? undefined : nodeAt(document, path);
  const read = documentCell(node, { ...described, nullable: true });
  if (read.ok) return read.value;
  // A value that does not fit its column is compared as it is.
  return node === undefined ? undefined : ['json', jsonText(node)];
}
