import { isAbsent } from '@tabularium/sdk';
import type { Cell, Column, TableDescription } from '@tabularium/sdk';
import type { Edit, EditedRow } from '../../common/editing.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import type { Stage } from '../editing/useStage.ts';
import { strings } from '../i18n/index.ts';
import type { JsonChange } from './rowFromJson.ts';

/** Why nothing of a row, or of any row, can be changed; undefined when it can. */
export function rowRefusal({ ability, state }: Stage, { staged, row }: EditableRow): string | undefined {
  const words = strings.editing;
  if (ability?.allowed === false) return words.readOnly(ability.reason);
  if (row === undefined || ability === undefined) return words.notLoaded;
  if (staged?.kind === 'delete') return words.rowIsDeleted;
  return staged?.sending === true || state?.saving === true ? words.rowIsSending : undefined;
}

/** Why a field of a row cannot be changed. A row that is new takes a value in every field. */
export function fieldRefusal(stage: Stage, at: EditableRow, column: Column | undefined): string | undefined {
  const whole = rowRefusal(stage, at);
  if (whole !== undefined || at.staged?.kind === 'insert') return whole;
  return column?.editable.allowed === false ? strings.editing.readOnly(column.editable.reason) : undefined;
}

/** Changes of fields as one edit. @param names - the columns by their places in a row */
export function editOfRow(
  { base, staged }: EditableRow,
  key: TableDescription['key'],
  names: readonly string[],
  changes: readonly JsonChange[],
): Edit | undefined {
  const cells = changes.flatMap(({ place, value }) => {
    const column = names[place];
    const original = base?.[place];
    return column === undefined ? [] : [{ column, value, ...(original === undefined ? {} : { original }) }];
  });
  const row = rowOf(base, staged, key, names);
  return row === undefined || cells.length === 0 ? undefined : { kind: 'update', row, cells };
}

function rowOf(
  base: EditableRow['base'],
  staged: EditableRow['staged'],
  key: TableDescription['key'],
  names: readonly string[],
): EditedRow | undefined {
  if (staged?.kind === 'insert') return { inserted: staged.id };
  const places = key.map((name) => names.indexOf(name));
  if (base === undefined || places.length === 0 || places.includes(-1)) return undefined;
  return { key: places.map((place) => base[place] ?? null) };
}

/** A new row like another one: without its key, and without what the database fills in itself. */
export function duplicateEdit(row: readonly Cell[], description: TableDescription, names: readonly string[]): Edit {
  const values = names.flatMap((name, place) => {
    const value = row[place] ?? null;
    const isWritable = description.columns.find((column) => column.name === name)?.editable.allowed !== false;
    return description.key.includes(name) || isAbsent(value) || !isWritable ? [] : [{ column: name, value }];
  });
  return { kind: 'insert', values };
}
