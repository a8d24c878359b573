import type { TableDescription } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

const yes = { allowed: true } as const;
const no = { allowed: false, reason: 'It is computed.' } as const;
const described: TableDescription = {
  ref: { namespace: ['attic'], name: 'hats' },
  kind: 'table',
  comment: 'Hats.',
  columns: [
    {
      name: 'id',
      kind: 'integer',
      type: 'int',
      nullable: false,
      editable: no,
      sortable: yes,
      generated: { kind: 'identityAlways' },
    },
    {
      name: 'size',
      kind: 'integer',
      type: 'int',
      nullable: true,
      editable: yes,
      sortable: yes,
      default: '7',
      comment: 'In inches',
    },
    {
      name: 'wide',
      kind: 'boolean',
      type: 'bool',
      nullable: true,
      editable: no,
      sortable: yes,
      generated: { kind: 'stored', expression: 'size > 7' },
    },
  ],
  key: ['id'],
  defaultSort: [{ column: 'id', direction: 'descending' }],
  indexes: [
    { name: 'hats_key', columns: [{ name: 'id' }], unique: true, primary: true },
    {
      name: 'by_half',
      columns: [{ expression: 'size / 2', descending: true, nulls: 'last', detail: 'int4_ops' }],
      unique: false,
      where: 'size > 0',
    },
  ],
  foreignKeys: [{ columns: ['size'], references: { namespace: ['attic'], name: 'sizes' }, referencedColumns: ['no'] }],
  referredBy: [{ name: 'of_hat', table: { namespace: [], name: 'loans' }, columns: ['hat'], referencedColumns: ['id'] }],
  triggers: [{ name: 'audit', timing: 'insteadOf', events: ['insert', 'update'], level: 'row', enabled: false, calls: 'f()' }],
  paging: 'offset',
  readsFromEnd: false,
  notes: ['Strict.'],
};

let machine: FakeMachine;
let answer: TableDescription;
beforeEach(async () => {
  machine = await FakeMachine.create();
  answer = described;
  machine.database.tables = [{ ref: described.ref, kind: 'table' }];
  machine.database.describeTable = async () => answer;
  await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'S', '--access-key-env', 'K'], { env: { K: 'k' } });
});
afterEach(() => machine[Symbol.asyncDispose]());

it('has the whole structure in its JSON', async () => {
  expect(await machine.json(['describe', 'S', 'hats'], { env: { K: 'k' } })).toMatchObject({
    name: 'attic.hats',
    kind: 'table',
    comment: 'Hats.',
    columns: [
      { name: 'id', type: 'int', nullable: false, generated: { kind: 'identityAlways' } },
      { name: 'size', default: '7', comment: 'In inches' },
      { name: 'wide', generated: { kind: 'stored', expression: 'size > 7' } },
    ],
    key: ['id'],
    defaultSort: described.defaultSort,
    indexes: described.indexes,
    foreignKeys: [{ name: null, columns: ['size'], table: 'attic.sizes', tableColumns: ['no'] }],
    referredBy: [{ name: 'of_hat', columns: ['id'], table: 'loans', tableColumns: ['hat'] }],
    triggers: described.triggers,
    notes: ['Strict.'],
  });
});

it('prints each part as a table', async () => {
  const { out } = await machine.run(['describe', 'S', 'attic.hats'], { env: { K: 'k' } });
  for (const line of [
    /^attic\.hats, a table\nComment: Hats\.\nKey: id\.\nWithout a sort, rows come by id descending\.\nStrict\.\n/,
    /^id +int +no +numbered, always/m,
    /^size +int +yes +7 +In inches/m,
    /^wide +bool +yes +computed and stored: size > 7/m,
    /^hats_key +id +primary key/m,
    /^by_half +size \/ 2 int4_ops descending nulls last +size > 0/m,
    /^ +size +attic\.sizes \(no\)/m,
    /^of_hat +id +loans \(hat\)/m,
    /^audit +instead of insert or update, for each row, switched off +f\(\)/m,
  ])
    expect(out).toMatch(line);
});

it('leaves out the parts of a table that has none', async () => {
  answer = { ...described, comment: undefined, indexes: undefined, foreignKeys: undefined, referredBy: undefined, triggers: [] };
  const { out } = await machine.run(['describe', 'S', 'hats'], { env: { K: 'k' } });
  expect(out).not.toMatch(/INDEX|FOREIGN|REFERRED|TRIGGER/);
});

it('lets no name and no comment begin a line of its own, cuts nothing where no terminal reads, and says what the table is', async () => {
  const long = 'word '.repeat(100);
  answer = {
    ...described,
    kind: 'materializedView',
    comment: 'Hats.\nKey: none.',
    key: ['id\nStrict.'],
    columns: described.columns.map((column) => ({ ...column, name: `${column.name}\nforged`, comment: `${long}end` })),
  };
  const { out } = await machine.run(['describe', 'S', 'hats'], { env: { K: 'k' } });
  expect(out).toMatch(
    /^attic\.hats, a materialized view\nComment: Hats\.⏎Key: none\.\nKey: id⏎Strict\.\.\nWithout a sort.*\nStrict\.\n\nCOLUMN/,
  );
  expect(out).toMatch(/^id⏎forged .*word end$/m);
  expect(out).not.toMatch(/^forged/m);
});
