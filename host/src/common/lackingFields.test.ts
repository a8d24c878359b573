import { ABSENT } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { lackingFields } from './lackingFields.ts';

const columns = [{ name: 'title', required: true }, { name: 'note' }, { name: 'seller.name', required: true }];
const inserted = (cells: Readonly<Record<string, Cell>>) => ({
  kind: 'insert' as const,
  cells: Object.entries(cells).map(([column, value]) => ({ column, value })),
});

describe('the fields that a new row lacks', () => {
  it('are required and have no value: null and absent are none, an empty text is one', () => {
    expect(lackingFields(inserted({}), columns)).toEqual(['title', 'seller.name']);
    expect(lackingFields(inserted({ title: null, 'seller.name': ABSENT }), columns)).toEqual(['title', 'seller.name']);
    expect(lackingFields(inserted({ title: '', 'seller.name': 'A' }), columns)).toEqual([]);
  });

  it('are given with the object that holds them', () => {
    expect(lackingFields(inserted({ title: 'T', seller: ['json', '{"name":"A"}'] }), columns)).toEqual([]);
  });

  it('are none in a row that exists', () => {
    expect(lackingFields({ kind: 'update', cells: [] }, columns)).toEqual([]);
  });
});
