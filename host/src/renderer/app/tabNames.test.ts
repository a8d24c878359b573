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
  expect(tables.map(tabNames(tables)).map(({ name }) => name)).toEqual([
    'shop.public.books',
    'sales.public.books',
    'public.orders',
    'old.orders',
    'prices',
    'books',
  ]);
});

it('has the database of every table of a connection to several, whether another one is called the same or not', () => {
  const tables = [
    { namespace: ['shop', 'public'], name: 'books' },
    { namespace: ['sales', 'public'], name: 'books' },
    { namespace: ['sales', 'old'], name: 'books' },
    { namespace: ['sales', 'public'], name: 'prices' },
    { namespace: [], name: 'loose' },
  ];
  expect(tables.map(tabNames(tables, true))).toEqual([
    { name: 'books', place: 'shop' },
    { name: 'public.books', place: 'sales' },
    { name: 'old.books', place: 'sales' },
    { name: 'prices', place: 'sales' },
    { name: 'loose' },
  ]);
});
