import { ABSENT } from '@tabularium/sdk';
import type { Column, TableDescription } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { EditableRow } from '../grid/model/editableRow.ts';
import type { Stage } from '../editing/useStage.ts';
import { editOfRow, fieldRefusal, rowRefusal } from './rowEdits.ts';

const column = (name: string, editable = true): Column => ({
  name,
  kind: 'text',
  type: 'string',
  nullable: true,
  editable: editable ? { allowed: true } : { allowed: false, reason: 'The server fills it in.' },
  sortable: { allowed: true },
});
const description = {
  columns: [column('id', false), column('a'), column('b', false), column('c')],
  key: ['id'],
} as unknown as TableDescription;
const names = ['id', 'a', 'b', 'c'];
const stage = { ability: { allowed: true, key: ['id'], atomicity: 'each' }, state: undefined } as unknown as Stage;
const base = ['1', 'x', 'y', ABSENT] as const;
const existing: EditableRow = { base, staged: undefined, row: base };
const inserted = { base: undefined, staged: { id: 'new', kind: 'insert', cells: [], sending: false }, row: base } as EditableRow;

describe('why a row cannot be changed', () => {
  it('is said for the table, the row and the field', () => {
    expect(rowRefusal(stage, existing)).toBeUndefined();
    expect(rowRefusal({ ...stage, ability: { allowed: false, reason: 'It is a view.' } }, existing)).toContain('It is a view.');
    expect(rowRefusal(stage, { ...existing, row: undefined })).toBeDefined();
    const deleted = { ...existing, staged: { id: '1', kind: 'delete', cells: [], sending: false } } as EditableRow;
    expect(rowRefusal(stage, deleted)).toContain('staged for deletion');
    expect(fieldRefusal(stage, existing, description.columns[2])).toContain('The server fills it in.');
    expect(fieldRefusal(stage, existing, description.columns[1])).toBeUndefined();
    expect(fieldRefusal(stage, inserted, description.columns[0])).toBeUndefined();
  });
});

describe('changes of a row', () => {
  it('are one edit, with what was there before', () => {
    const changes = [
      { place: 1, value: 'z' },
      { place: 3, value: null },
    ];
    expect(editOfRow(existing, ['id'], names, changes)).toEqual({
      kind: 'update',
      row: { key: ['1'] },
      cells: [
        { column: 'a', value: 'z', original: 'x' },
        { column: 'c', value: null, original: ABSENT },
      ],
      seen: [
        { column: 'id', value: '1' },
        { column: 'a', value: 'x' },
        { column: 'b', value: 'y' },
        { column: 'c', value: ABSENT },
      ],
    });
    expect(editOfRow(inserted, ['id'], names, changes)).toMatchObject({ row: { inserted: 'new' } });
    expect(editOfRow(existing, [], names, changes)).toBeUndefined();
  });
});
