import { isAbsent } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import type { Edit } from '../../common/editing.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import type { GridRow } from '../grid/model/gridRow.ts';
import { documentCell, jsonText, parseDocument, withCells } from '../grid/model/rowDocument.ts';
import { wholeCell } from '../grid/model/wholeRows.ts';
import type { PasteColumn } from './pastePlan.ts';

/** A column, as far as a new row takes a value there. */
export interface DuplicatedColumn extends Pick<PasteColumn, 'name' | 'kind' | 'nullable' | 'editable' | 'source'> {
  readonly isKey: boolean;
}

/** Whether a new row like another one has the other's value: not in its key, and not where the database writes the value itself. */
export function isDuplicated({ isKey, editable }: Pick<DuplicatedColumn, 'isKey' | 'editable'>): boolean {
  return !isKey && editable.allowed;
}

/**
 * Rows like others, as they are with what is staged for them, without their keys.
 *
 * @param documents - the rows as the database returned them, where they are more than their cells
 * @throws ReportedProblem for a placeholder
 */
export function duplicates(
  rows: readonly EditableRow[],
  columns: readonly DuplicatedColumn[],
  documents: ReadonlyMap<GridRow, string> | undefined,
): Edit[] {
  return rows.flatMap((at): Edit[] => {
    const document = at.base === undefined ? undefined : documents?.get(at.base);
    if (document !== undefined) return [{ kind: 'insert', values: ofDocument(document, at, columns) }];
    // A new row may have staged members that no column names.
    if (at.staged?.kind === 'insert') return [{ kind: 'insert', values: ofStaged(at.staged.cells, columns) }];
    return at.row === undefined ? [] : [{ kind: 'insert', values: ofCells(at.row, columns) }];
  });
}

type Values = { column: string; value: Cell }[];

/** The columns that a new row has no value for. */
function leftOut(columns: readonly DuplicatedColumn[]): ReadonlySet<string> {
  return new Set(columns.flatMap((column) => (isDuplicated(column) ? [] : [column.name])));
}

function ofStaged(cells: Readonly<Values>, columns: readonly DuplicatedColumn[]): Values {
  const left = leftOut(columns);
  return cells.flatMap(({ column, value }) => (left.has(column) ? [] : [{ column, value }]));
}

function ofCells(row: GridRow, columns: readonly DuplicatedColumn[]): Values {
  return columns.flatMap((column) => {
    if (!isDuplicated(column)) return [];
    const value = wholeCell(row[column.source] ?? null);
    return isAbsent(value) ? [] : [{ column: column.name, value }];
  });
}

function ofDocument(text: string, { staged }: EditableRow, columns: readonly DuplicatedColumn[]): Values {
  const named = new Map(columns.map((column) => [column.name, column]));
  const kinds = new Map(columns.map(({ name, kind }) => [name, kind]));
  const left = leftOut(columns);
  const { members } = withCells(parseDocument(text), staged?.cells ?? [], kinds);
  return members.flatMap(([name, node]) => {
    if (left.has(name)) return [];
    const column = named.get(name);
    const cell = column === undefined ? undefined : documentCell(node, column);
    // A value that does not fit its column is sent as it is: the database says what it thinks of it.
    return [{ column: name, value: cell?.ok === true ? cell.value : ['json', jsonText(node)] }];
  });
}
