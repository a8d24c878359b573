import { DriverError } from '@tabularium/sdk';
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
