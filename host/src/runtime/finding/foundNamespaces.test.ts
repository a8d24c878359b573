import { DriverError } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { FakeNamespaces, THREE_DATABASES } from '../data/fakeNamespaces.test-helper.ts';
import { collect } from '../work.test-helper.ts';
import { FakeTables } from './fakeTables.test-helper.ts';

function tablesOf(server: FakeNamespaces): FakeTables {
  const tables = new FakeTables();
  const { listTables, namespaces } = server.members;
  tables.members = { listTables, ...(namespaces === undefined ? {} : { namespaces }) };
  return tables;
}

it('rows of all tables are looked for in every namespace, and one that refuses is named with its reason', async () => {
  const server = new FakeNamespaces(THREE_DATABASES);
  server.refused.set('sales', new DriverError('ACCESS_REFUSED', 'The server rejects the role.'));
  const [first] = await collect(tablesOf(server).find({ text: 'x' }));
  expect(first).toMatchObject({
    type: 'tables',
    tables: [
      { namespace: ['shop', 'public'], name: 'articles' },
      { namespace: ['shop', 'public'], name: 'orders' },
      { namespace: ['stock', 'public'], name: 'shelves' },
    ],
    refused: [{ namespace: ['sales'], error: { code: 'ACCESS_REFUSED', message: 'The server rejects the role.' } }],
  });
});

it('rows of one namespace are looked for without reaching another one', async () => {
  const server = new FakeNamespaces(THREE_DATABASES);
  const scope = { in: 'namespace', namespace: ['stock'] } as const;
  const [first] = await collect(tablesOf(server).find({ text: 'x', scope: { ...scope, namespace: [...scope.namespace] } }));
  expect(first).toEqual({ type: 'tables', tables: [{ namespace: ['stock', 'public'], name: 'shelves' }] });
  expect(server.asked.every((call) => call.includes('stock'))).toBe(true);
});
