import { ABSENT } from '@tabularium/sdk';
import type { Column, TableDescription } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { StagedRow } from '../../common/editing.ts';
import { parseDocument } from '../grid/model/rowDocument.ts';
import { editOfDocument } from './documentEdits.ts';

const column = (name: string, kind: Column['kind'] = 'text'): Column => ({
  name,
  kind,
  type: kind,
  nullable: true,
  sortable: { allowed: true },
  editable: { allowed: true },
});
const names = ['id', 'title', 'seller.name'];
const description: Pick<TableDescription, 'columns'> = { columns: names.map((name) => column(name)) };
const document = parseDocument('{"id":"1","title":"Long","seller":{"name":"Ann"},"parts":[{"size":1}]}');
const row = { key: ['1'] };
const edit = (staged: StagedRow | undefined, ...changes: Parameters<typeof editOfDocument>[1]) =>
  editOfDocument(
    { at: { base: ['1', ['unread', { bytes: 9 }], 'Ann'], staged, row: undefined }, row, document, description, names, seen: [] },
    changes,
  );

describe('an edit of a document', () => {
  it('names what each cell and member held, also a value that the page left out', () => {
    const changes = [
      { column: 'title', value: 'Short' },
      { column: 'parts', value: ['json', '[]'] as const },
      { column: 'extra', value: ['json', '1'] as const },
    ];
    expect(edit(undefined, ...changes)).toEqual({
      kind: 'update',
      row,
      cells: [
        { column: 'title', value: 'Short', original: 'Long' },
        { column: 'parts', value: ['json', '[]'], original: ['json', '[{"size":1}]'] },
        { column: 'extra', value: ['json', '1'], original: ABSENT },
      ],
      seen: [],
    });
  });

  it('of a whole member replaces what is staged for the columns inside it', () => {
    const staged: StagedRow = {
      id: '["1"]',
      kind: 'update',
      key: ['1'],
      cells: [{ column: 'seller.name', value: 'Bo', original: 'Ann' }],
      sending: false,
    };
    expect(edit(staged, { column: 'seller', value: ['json', '{"name":"Bo","new":1}'] })).toMatchObject({
      cells: [
        { column: 'seller.name', value: 'Ann', original: 'Ann' },
        { column: 'seller', value: ['json', '{"name":"Bo","new":1}'], original: ['json', '{"name":"Ann"}'] },
      ],
    });
  });

  it('is none without changes', () => {
    expect(edit(undefined)).toBeUndefined();
  });
});
