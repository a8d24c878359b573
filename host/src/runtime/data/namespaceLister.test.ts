import { DriverError } from '@tabularium/sdk';
import type { NamespacesFacet, Session } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { tableName } from '../../common/tableName.ts';
import { FakeNamespaces, THREE_DATABASES } from './fakeNamespaces.test-helper.ts';
import { allTables, findWrittenTable } from './namespaceLister.ts';

const { signal } = new AbortController();
const ignore = (): void => undefined;
const names = (tables: Awaited<ReturnType<typeof allTables>>): readonly string[] => tables.map(({ ref }) => tableName(ref));

it('reads every namespace that is not in the list, each once', async () => {
  const server = new FakeNamespaces(THREE_DATABASES);
  expect(names(await allTables(server.members, [], signal, ignore))).toEqual([
    'shop.public.articles',
    'shop.public.orders',
    'sales.public.articles',
    'sales.public.invoices',
    'sales.more.of.it',
    'stock.public.shelves',
  ]);
  expect(new Set(server.asked).size).toBe(server.asked.length);
  expect(server.asked.some((call) => call.includes('shop'))).toBe(false);
});

it('reads more than a page of tables', async () => {
  const many = Array.from({ length: 1_201 }, (_, index) => `t${index}`);
  const server = new FakeNamespaces({ 'shop/public': ['articles'], 'sales/public': many });
  expect(await allTables(server.members, ['sales'], signal, ignore)).toHaveLength(1_201);
});

it('reaches nothing but the namespace that is asked for', async () => {
  const server = new FakeNamespaces(THREE_DATABASES);
  expect(names(await allTables(server.members, ['stock'], signal, ignore))).toEqual(['stock.public.shelves']);
  expect(server.asked.every((call) => call.includes('stock'))).toBe(true);
  expect(names(await allTables(server.members, ['shop', 'public'], signal, ignore))).toHaveLength(2);
});

it('leaves out a namespace that refuses, with its reason, and fails where it was asked for by its name', async () => {
  const server = new FakeNamespaces(THREE_DATABASES);
  const reason = new DriverError('ACCESS_REFUSED', 'pg_hba.conf rejects the connection.');
  server.refused.set('sales', reason);
  const refused: unknown[] = [];
  expect(names(await allTables(server.members, [], signal, (one) => refused.push(one)))).toContain('stock.public.shelves');
  expect(refused).toEqual([{ namespace: ['sales'], error: reason }]);
  await expect(allTables(server.members, ['sales'], signal, ignore)).rejects.toBe(reason);
});

it('ends with an error of the connection, and does not ask every namespace for it', async () => {
  const server = new FakeNamespaces(THREE_DATABASES);
  server.refused.set('sales', new DriverError('DRIVER_CRASHED'));
  await expect(allTables(server.members, [], signal, ignore)).rejects.toMatchObject({ code: 'DRIVER_CRASHED' });
  expect(server.asked.some((call) => call.includes('stock'))).toBe(false);
});

it('ends a list that repeats itself', async () => {
  const server = new FakeNamespaces(THREE_DATABASES);
  let pages = 0;
  const endless: NamespacesFacet = {
    ...server.facet,
    list: async () => ({
      namespaces: [{ path: ['sales'], hasNamespaces: false, hasTables: false }],
      next: `${(pages += 1)}`,
    }),
  };
  const session = { ...server.members, namespaces: endless };
  await expect(allTables(session, [], signal, ignore)).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
});

it('finds a written table in the namespaces with whose names it begins', async () => {
  const server = new FakeNamespaces(THREE_DATABASES);
  const find = async (written: string) => findWrittenTable(server.members, written, signal);
  expect(await find('orders')).toEqual({ namespace: ['shop', 'public'], name: 'orders' });
  expect(server.asked).toEqual([]);
  expect(await find('sales.more.of.it')).toEqual({ namespace: ['sales', 'more.of'], name: 'it' });
  expect(server.asked.some((call) => call.includes('stock'))).toBe(false);
  expect(await find('sales.public.gone')).toBeUndefined();
  expect(await find('gone')).toBeUndefined();
});

it('asks a connection that lists every table for its list alone', async () => {
  const { listTables, describeTable } = new FakeNamespaces(THREE_DATABASES).members;
  const session: Pick<Session, 'listTables' | 'describeTable' | 'namespaces'> = { listTables, describeTable };
  expect(await allTables(session, [], signal, ignore)).toHaveLength(2);
  expect(await findWrittenTable(session, 'sales.public.invoices', signal)).toBeUndefined();
});
