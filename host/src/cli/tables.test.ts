import { DriverError } from '@tabularium/sdk';
import type { ListPageOptions, NamespacePage } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeNamespaces, THREE_DATABASES } from '../runtime/data/fakeNamespaces.test-helper.ts';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let server: FakeNamespaces;
beforeEach(async () => {
  machine = await FakeMachine.create();
  const words = ['connections', 'add', '--driver', 'fixture', '--access-key-env', 'KEY', '--name', 'Attic'];
  await machine.json(words, { env: { KEY: 'hunter2' } });
  server = new FakeNamespaces(THREE_DATABASES);
  const { listTables, describeTable, namespaces } = server.members;
  const { signal } = new AbortController();
  machine.database.tables = [...(await listTables({ signal }))];
  machine.database.describeTable = describeTable;
  if (namespaces !== undefined) machine.database.namespaces = namespaces;
});
afterEach(() => machine[Symbol.asyncDispose]());

const named = (...names: string[]) => names.map((name) => ({ name, rows: null }));
const FIRST = named('shop.public.articles', 'shop.public.orders');

it('tables lists the namespaces where a person begins, and says which it did not list', async () => {
  expect(await machine.json(['tables', 'Attic'])).toEqual({ tables: FIRST, notListed: ['sales', 'stock'] });
  expect(server.asked).toEqual(['list ']);
  const { err } = await machine.run(['tables', 'Attic']);
  expect(err).toBe('Note: Not listed: sales, stock. --namespace PATH lists one of them, --all every one.\n');
});

it('tables --namespace lists one, and reaches no other', async () => {
  expect(await machine.json(['tables', 'Attic', '--namespace', 'sales'])).toEqual({
    tables: named('sales.public.articles', 'sales.public.invoices', 'sales.more.of.it'),
  });
  expect(await machine.json(['tables', 'Attic', '--namespace', 'sales.more.of'])).toEqual({ tables: named('sales.more.of.it') });
  expect(await machine.json(['tables', 'Attic', '--namespace', 'shop.public'])).toEqual({ tables: FIRST });
  expect(server.asked.some((call) => call.includes('stock'))).toBe(false);
  expect(await machine.json(['tables', 'Attic', '--namespace', 'gone'])).toMatchObject({
    error: { code: 'INVALID_REQUEST', message: 'There is no namespace “gone” with tables in this connection.' },
  });
});

it('tables --all lists every one, and names those that refuse, with the reason', async () => {
  const all = await machine.json(['tables', 'Attic', '--all']);
  expect(all).toEqual({
    tables: [...FIRST, ...named('sales.public.articles', 'sales.public.invoices', 'sales.more.of.it', 'stock.public.shelves')],
  });
  server.refused.set('sales', new DriverError('ACCESS_REFUSED', 'The server lets nobody in.'));
  expect(await machine.json(['tables', 'Attic', '--all'])).toEqual({
    tables: [...FIRST, ...named('stock.public.shelves')],
    refused: [{ namespace: 'sales', message: 'The server lets nobody in.' }],
  });
  const { code, err } = await machine.run(['tables', 'Attic', '--all']);
  expect([code, err]).toEqual([0, "Warning: “sales” can't be listed: The server lets nobody in.\n"]);
  expect((await machine.run(['tables', 'Attic', '--all', '--namespace', 'sales'])).code).toBe(2);
});

it('tables --namespace filters the list of a connection that lists every table', async () => {
  delete machine.database.namespaces;
  expect(await machine.json(['tables', 'Attic', '--namespace', 'shop'])).toEqual({ tables: FIRST });
  expect(await machine.json(['tables', 'Attic', '--all'])).toEqual({ tables: FIRST });
});

it('tables ends where a list has no end, and says where', async () => {
  const endless = async (parent: readonly string[], { after }: ListPageOptions): Promise<NamespacePage> => {
    if (parent.length > 0) return { namespaces: [] };
    const from = after === undefined ? 0 : Number(after.slice(1)) + 1;
    const namespaces = Array.from({ length: 500 }, (_, index) => ({
      path: [`n${from + index}`],
      hasNamespaces: false,
      hasTables: false,
    }));
    return { namespaces, next: `n${from + 499}` };
  };
  machine.database.namespaces = { ...server.facet, list: endless };
  const cut = [{ list: 'namespaces', read: 2_000 }];
  const answer = await machine.json(['tables', 'Attic']);
  expect(answer).toMatchObject({ tables: FIRST, cut });
  const { code, err } = await machine.run(['tables', 'Attic', '--all']);
  expect(code).toBe(0);
  expect(err).toBe('Warning: Only the first 20000 namespaces were read. --namespace PATH lists one namespace.\n');
});

it('tables --all says how many tables it read of a namespace with more, with progress on a terminal', async () => {
  machine.database.namespaces = {
    ...server.facet,
    listTables: async (namespace, { after }) => {
      if (namespace[0] !== 'stock') return { tables: [] };
      const from = after === undefined ? 0 : Number(after.slice(1)) + 1;
      if (from === 0) await new Promise((resolve) => setTimeout(resolve, 600));
      const tables = Array.from({ length: 500 }, (_, index) => ({
        ref: { namespace: [...namespace], name: `t${from + index}` },
        kind: 'table' as const,
      }));
      return { tables, next: `t${from + 499}` };
    },
  };
  const { err } = await machine.run(['tables', 'Attic', '--all'], { isTerminal: true });
  expect(err).toContain('Reading namespaces and tables: ');
  expect(err).toContain('Warning: Only the first 100000 tables were read.');
});

it('tables --namespace says why one that is not listed refuses', async () => {
  const reason = new DriverError('ACCESS_REFUSED', 'These credentials may not connect to “hidden”.');
  server.refused.set('hidden', reason);
  expect(await machine.json(['tables', 'Attic', '--namespace', 'hidden'])).toMatchObject({
    error: { code: 'ACCESS_REFUSED', message: 'These credentials may not connect to “hidden”.' },
  });
});

it('tables --namespace names both ways to write a name that two namespaces have', async () => {
  server = new FakeNamespaces({ 'shop/public': ['x'], 'a/b': ['inner'], 'a.b/c': ['outer'] });
  machine.database.namespaces = server.facet;
  expect(await machine.json(['tables', 'Attic', '--namespace', 'a.b'])).toMatchObject({
    error: {
      code: 'INVALID_REQUEST',
      message: 'Several namespaces are named “a.b”.',
      advice: `Write one of them as a list: --namespace '["a","b"]', --namespace '["a.b"]'.`,
    },
  });
  expect(await machine.json(['tables', 'Attic', '--namespace', '["a","b"]'])).toEqual({ tables: named('a.b.inner') });
  expect(await machine.json(['tables', 'Attic', '--namespace', '["a.b"]'])).toEqual({ tables: named('a.b.c.outer') });
});
