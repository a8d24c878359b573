import { describe, expect, it } from 'vitest';
import type { TableSummary } from '@tabularium/sdk';
import { findTable, tableName, tableToMake } from './tableName.ts';

const table = (name: string, ...namespace: string[]): TableSummary => ({ ref: { namespace, name }, kind: 'table' });

describe('table names', () => {
  it('prints the namespace before the name', () => {
    expect(tableName(table('orders', 'shop', 'public').ref)).toBe('shop.public.orders');
    expect(tableName(table('products').ref)).toBe('products');
  });

  it('finds by the printed name, also where a name holds a dot, and by the bare name where it is the only one', () => {
    const tables = [table('a.b'), table('b', 'x'), table('orders', 'shop'), table('orders', 'archive')];
    expect(findTable(tables, 'a.b')).toBe(tables[0]);
    expect(findTable(tables, 'b')).toBe(tables[1]);
    expect(findTable(tables, 'archive.orders')).toBe(tables[3]);
    expect(findTable(tables, 'orders')).toBeUndefined();
    expect(findTable([table('b', 'a'), table('a.b')], 'a.b')).toBeUndefined();
  });

  it('takes a new table apart by the namespaces that there are, the longest first, and guesses none', () => {
    const namespaces = [['public'], ['a'], ['a', 'b'], ['x.y']];
    expect(tableToMake(namespaces, 'orders')).toEqual({ namespace: ['public'], name: 'orders' });
    expect(tableToMake(namespaces, 'a.orders')).toEqual({ namespace: ['a'], name: 'orders' });
    expect(tableToMake(namespaces, 'a.b.orders')).toEqual({ namespace: ['a', 'b'], name: 'orders' });
    expect(tableToMake(namespaces, 'x.y.or.ders')).toEqual({ namespace: ['x.y'], name: 'or.ders' });
    expect(tableToMake(namespaces, 'missing.orders')).toBeUndefined();
    expect(tableToMake([], 'a.b')).toEqual({ namespace: [], name: 'a.b' });
  });
});
