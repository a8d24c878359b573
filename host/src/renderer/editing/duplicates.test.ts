import { ABSENT } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { EditableRow } from '../grid/model/editableRow.ts';
import { duplicates } from './duplicates.ts';
import type { DuplicatedColumn } from './duplicates.ts';

const column = (name: string, source: number, more: Partial<DuplicatedColumn> = {}): DuplicatedColumn => ({
  name,
  source,
  kind: 'text',
  nullable: true,
  editable: { allowed: true },
  isKey: false,
  ...more,
});
const computed = { editable: { allowed: false, reason: 'The server computes it.' } } as const;
const COLUMNS = [
  column('id', 0, { isKey: true }),
  column('name', 1),
  column('seller.name', 2),
  column('vector', 3, { kind: 'json', ...computed }),
  column('code', 4, { kind: 'integer' }),
];
const row = (...cells: NonNullable<EditableRow['base']>): EditableRow => ({ base: cells, staged: undefined, row: cells });

describe('a duplicate', () => {
  it('leaves the key and what is absent or not writable out', () => {
    expect(duplicates([row('7', 'Lamp', ABSENT, '[1]', null)], COLUMNS, undefined)).toEqual([
      {
        kind: 'insert',
        values: [
          { column: 'name', value: 'Lamp' },
          { column: 'code', value: null },
        ],
      },
    ]);
  });

  it('of a document has all of it: lists of objects, members that no column names, every digit', () => {
    const at = row('7', 'Lamp', 'Ann', ['unread', { bytes: 9 }], 9);
    const text =
      '{"id":"7","name":"Lamp","vector":[1,2],"seller":{"name":"Ann","zip":[{"n":1.50}]},"parts":[{"size":1},{}],"__proto__":{"n":9007199254740995},"code":9007199254740993}';
    expect(duplicates([at], COLUMNS, new Map([[at.base ?? [], text]]))).toEqual([
      {
        kind: 'insert',
        values: [
          { column: 'name', value: 'Lamp' },
          { column: 'seller', value: ['json', '{"name":"Ann","zip":[{"n":1.50}]}'] },
          { column: 'parts', value: ['json', '[{"size":1},{}]'] },
          { column: '__proto__', value: ['json', '{"n":9007199254740995}'] },
          { column: 'code', value: '9007199254740993' },
        ],
      },
    ]);
  });

  it('has what is staged for the row', () => {
    const at = row('7', 'Lamp', 'Ann', null, 1);
    const cells = [{ column: 'seller.name', value: 'Bo', original: 'Ann' }];
    const edited: EditableRow = { ...at, staged: { id: '["7"]', kind: 'update', key: ['7'], cells, sending: false } };
    expect(duplicates([edited], COLUMNS, new Map([[at.base ?? [], '{"id":"7","seller":{"name":"Ann","zip":1}}']]))).toEqual([
      { kind: 'insert', values: [{ column: 'seller', value: ['json', '{"name":"Bo","zip":1}'] }] },
    ]);
  });

  it('of a new row has the members that are staged for it', () => {
    const cells = [
      { column: 'id', value: '9' },
      { column: 'parts', value: ['json', '[{}]'] as const },
    ];
    const at: EditableRow = { base: undefined, staged: { id: 'new', kind: 'insert', cells, sending: false }, row: [] };
    expect(duplicates([at], COLUMNS, undefined)).toEqual([
      { kind: 'insert', values: [{ column: 'parts', value: ['json', '[{}]'] }] },
    ]);
  });
});
