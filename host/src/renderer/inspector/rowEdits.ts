import type { Column, TableDescription } from '@tabularium/sdk';
import type { Edit, EditedRow } from '../../common/editing.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import { keyOfRow } from '../grid/model/wholeRows.ts';
import type { Stage } from '../editing/useStage.ts';
import { originalOf } from '../editing/originalOf.ts';
import { seenRow } from '../editing/seenRow.ts';
import { noValueText } from '../grid/model/presetText.ts';
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

/** Why a field of a row cannot be changed. A row that is new takes a value in every field that the database doesn't write itself. */
export function fieldRefusal(stage: Stage, at: EditableRow, column: Column | undefined): string | undefined {
  const whole = rowRefusal(stage, at);
  if (whole !== undefined) return whole;
  if (at.staged?.kind === 'insert') return column === undefined ? undefined : noValueText(column);
  return column?.editable.allowed === false ? strings.editing.readOnly(column.editable.reason) : undefined;
}

/** Changes of fields as one edit, of a row that has no placeholders there. @param names - the columns by their places in a row */
export function editOfRow(
  { base, staged }: EditableRow,
  key: TableDescription['key'],
  names: readonly string[],
  changes: readonly JsonChange[],
): Edit | undefined {
  const cells = changes.flatMap(({ place, value }) => {
    const column = names[place];
    if (column === undefined) return [];
    const original = originalOf({ base, staged }, column, place);
    return [{ column, value, ...(original === undefined ? {} : { original }) }];
  });
  const row = rowOf(base, staged, key, names);
  if (row === undefined || cells.length === 0) return undefined;
  const seen = names.map((name, source) => ({ name, source }));
  return { kind: 'update', row, cells, ...(base === undefined ? {} : { seen: seenRow(base, seen) }) };
}

/** How the host names a row; undefined for one that has no key. */
export function rowOf(
  base: EditableRow['base'],
  staged: EditableRow['staged'],
  key: TableDescription['key'],
  names: readonly string[],
): EditedRow | undefined {
  if (staged?.kind === 'insert') return { inserted: staged.id };
  const found =
    base === undefined
      ? undefined
      : keyOfRow(
          base,
          key.map((name) => names.indexOf(name)),
        );
  return found === undefined ? undefined : { key: found };
}
