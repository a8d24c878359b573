import { ABSENT } from '@tabularium/sdk';
import type { ForeignKey } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { referencesOf } from './referencesOf.ts';
import { emptyColumnOf, placesOfReference, referredConditions } from './referredRow.ts';

const key = (columns: readonly string[], table: string, referencedColumns: readonly string[] = columns): ForeignKey => ({
  columns,
  references: { namespace: [], name: table },
  referencedColumns,
});
const pair = key(['shop', 'no'], 'places', ['s', 'n']);
const single = key(['no'], 'numbers', ['id']);
/** In another order than on the screen, and than in the key. */
const columns = [
  { name: 'no', source: 2, kind: 'integer' as const },
  { name: 'id', source: 0, kind: 'integer' as const },
  { name: 'shop', source: 1, kind: 'text' as const },
];

describe('the references of a column', () => {
  it('are its foreign keys, those of few columns first', () => {
    expect(referencesOf({ foreignKeys: [pair, single] }, 'no')).toEqual([single, pair]);
    expect(referencesOf({ foreignKeys: [pair, single] }, 'shop')).toEqual([pair]);
    expect(referencesOf({}, 'no')).toEqual([]);
  });
});

describe('the row that a reference leads to', () => {
  it('has the values of all columns of the key, each in its referenced column, digit for digit', () => {
    const places = placesOfReference(pair, columns) ?? [];
    expect(places).toEqual([1, 2]);
    expect(referredConditions(pair, places, [7, 'a, "b"', '9007199254740993'], columns)).toEqual([
      { column: 's', text: 'a, "b"' },
      { column: 'n', text: '9007199254740993' },
    ]);
  });

  it('is none where one value is missing, and may be one where a value was not read yet', () => {
    expect(emptyColumnOf(pair, [1, 2], [7, 'a', null])).toBe('no');
    expect(emptyColumnOf(pair, [1, 2], [7, ABSENT, 5])).toBe('shop');
    expect(emptyColumnOf(pair, [1, 2], [7, ['unread', {}], 0])).toBeUndefined();
    expect(emptyColumnOf(pair, [1, 2], [7, '', false])).toBeUndefined();
  });

  it('cannot be found where the rows lack a column of the key', () => {
    expect(placesOfReference(key(['gone'], 'places'), columns)).toBeUndefined();
  });
});
