import type { Column, TableDescription } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { partsLeftOut } from './partsLeftOut.ts';

const yes = { allowed: true } as const;
const column = (name: string, more: Partial<Column> = {}): Column => ({
  ...{ name, kind: 'integer', type: 'int', nullable: true, editable: yes, sortable: yes },
  ...more,
});
const source: TableDescription = {
  ref: { namespace: [], name: 'orders' },
  kind: 'table',
  key: ['id'],
  paging: 'offset',
  readsFromEnd: false,
  notes: [],
  comment: 'What was ordered.',
  columns: [
    column('id', { generated: { kind: 'identityAlways' } }),
    column('n', { default: '7', comment: 'How many' }),
    column('serial', { default: "nextval('s'::regclass)" }),
    column('twice', { generated: { kind: 'stored', expression: 'n *  2' } }),
  ],
  indexes: [
    { name: 'orders_pkey', columns: [{ name: 'id' }], unique: true, primary: true },
    { name: 'n_once', columns: [{ name: 'n' }], unique: true },
    { name: 'by_n', columns: [{ name: 'n' }], unique: false },
  ],
  foreignKeys: [{ columns: ['n'], references: { namespace: [], name: 'others' }, referencedColumns: ['id'] }],
  triggers: [{ name: 'audit', timing: 'after', events: ['insert'] }],
  definition: { language: 'sql', text: 'CREATE TABLE orders (…);\n\nCREATE INDEX by_n\n ON orders (n);' },
};

it('names what a copy doesn’t get', () => {
  const parts = partsLeftOut(
    source,
    'CREATE TABLE "orders" (id int PRIMARY KEY, n int DEFAULT 7 UNIQUE, serial int, twice int)',
    true,
  );
  expect(parts.map(({ part, names, count }) => `${part} ${count}: ${names.join()}`)).toEqual([
    'identity 1: id',
    'computed 1: twice',
    'defaults 1: serial',
    'foreignKeys 1: n',
    'indexes 1: by_n',
    'triggers 1: audit',
    'comments 2: orders,n',
  ]);
});

it('names nothing that the definition of the copy has', () => {
  const definition =
    "CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY, n int REFERENCES others, serial int DEFAULT nextval('x'), twice int AS (n * 2))";
  expect(partsLeftOut(source, definition, true).map(({ part }) => part)).toEqual(['indexes', 'triggers', 'comments']);
});

it('says of a table that is proposed by the rows that it has neither defaults nor unique indexes, and lists few of many names', () => {
  const indexes = Array.from({ length: 500 }, (_, at) => ({ name: `i${at}`, columns: [{ name: 'n' }], unique: true }));
  const parts = partsLeftOut({ ...source, indexes }, 'CREATE TABLE t (id text)', false);
  expect(parts.find(({ part }) => part === 'defaults')).toEqual({ part: 'defaults', names: ['n', 'serial'], count: 2 });
  const left = parts.find(({ part }) => part === 'indexes');
  expect([left?.count, left?.names.length]).toEqual([500, 20]);
});
