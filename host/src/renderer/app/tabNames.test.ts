import { expect, it } from 'vitest';
import { tabNames } from './tabNames.ts';

it('names tables of the same name by the part of the path that differs, and others without it', () => {
  const tables = [
    { namespace: ['shop', 'public'], name: 'books' },
    { namespace: ['sales', 'public'], name: 'books' },
    { namespace: ['sales', 'public'], name: 'orders' },
    { namespace: ['sales', 'old'], name: 'orders' },
    { namespace: ['sales', 'public'], name: 'prices' },
    { namespace: [], name: 'books' },
  ];
  expect(tables.map(tabNames(tables))).toEqual([
    'shop.public.books',
    'sales.public.books',
    'public.orders',
    'old.orders',
    'prices',
    'books',
  ]);
});
