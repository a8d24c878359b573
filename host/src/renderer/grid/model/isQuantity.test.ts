import { describe, expect, it } from 'vitest';
import { isQuantity } from './isQuantity.ts';

const integer = (name: string, more: { quantity?: boolean } = {}): boolean =>
  isQuantity({ name, kind: 'integer', ...more }, false);

describe('columns that are added up', () => {
  it.each([
    'price',
    'stock',
    'number_of_rooms',
    'years',
    'dimensions.weight_g',
    'idle',
    'totalAmount',
    'response_time',
    'constructor',
  ])('%s is a quantity', (name) => {
    expect(integer(name)).toBe(true);
  });

  it.each([
    'id',
    'userId',
    'user_id',
    'seller.since',
    'added_at',
    'year',
    'year_built',
    'barcode',
    'zip_code',
    'phone',
    'orderNumber',
  ])('%s is not', (name) => {
    expect(integer(name)).toBe(false);
  });

  it('a key is none, whatever its name is, until the driver says so', () => {
    expect(isQuantity({ name: 'amount', kind: 'integer' }, true)).toBe(false);
    expect(isQuantity({ name: 'amount', kind: 'integer', quantity: true }, true)).toBe(true);
  });

  it('the driver decides over the name', () => {
    expect(integer('warehouse', { quantity: false })).toBe(false);
    expect(integer('year', { quantity: true })).toBe(true);
  });

  it.each(['text', 'boolean', 'json', 'timestamp'] as const)('a column of kind %s has none', (kind) => {
    expect(isQuantity({ name: 'price', kind }, false)).toBe(false);
  });
});
