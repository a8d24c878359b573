import { DriverError } from '@tabularium/sdk';
import type { ExportEvent } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeNamespaces } from '../runtime/data/fakeNamespaces.test-helper.ts';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let rows: readonly (readonly [string, number])[] = [];
const written: string[] = [];
const made: string[] = [];
let failsAfter = Infinity;

async function* exported(): AsyncGenerator<ExportEvent> {
  yield {
    type: 'begin',
    columns: [
      { name: 'id', kind: 'text' },
      { name: 'size', kind: 'integer' },
    ],
  };
  yield { type: 'rows', rows: rows.map((row) => [...row]) };
}

beforeEach(async () => {
  machine = await FakeMachine.create();
  rows = [
    ['a', 57],
    ['b', 58],
  ];
  written.length = 0;
  made.length = 0;
  failsAfter = Infinity;
  machine.database.tables = ['hats', 'caps'].map((name) => ({ ref: { namespace: [], name }, kind: 'table' }));
  machine.database.describeTable = async (ref) => ({
    ...{ ref, kind: 'table', columns: [], key: ['id'], paging: 'offset', readsFromEnd: false, notes: [] },
  });
  machine.database.countRows = async () => ({ rows: rows.length, exact: true });
  machine.database.export = { splice: async () => undefined, judge: () => undefined, rows: () => exported() };
  machine.database.import = {
    form: async () => ({
      modes: [{ id: 'create', label: 'Create', help: 'Adds.', effect: 'write', repeated: 'reported', text: 'create it' }],
      language: 'text',
      key: ['id'],
    }),
    check: async () => [],
    splice: async () => undefined,
    judge: () => [],
    async *write(_target, given) {
      for (const row of given) {
        if (written.length >= failsAfter) throw new DriverError('CONNECTION_LOST', 'The server is gone.');
        if (written.includes(row)) yield { outcome: 'rejected', message: 'There already.', present: true };
        else {
          written.push(row);
          yield { outcome: 'written' };
        }
      }
    },
    tables: {
      propose: async (table) => `make ${table.name}`,
      plan: async () => ({ effect: 'write', consequence: 'It is made.', requests: [{ method: 'MAKE', path: 'it' }] }),
      create: async (_table, definition) => {
        made.push(definition);
      },
    },
  };
  for (const name of ['One', 'Two'])
    await machine.run(['connections', 'add', '--driver', 'fixture', '--name', name, '--access-key-env', 'K'], {
      env: { K: 'k' },
    });
});
afterEach(() => machine[Symbol.asyncDispose]());

it('plans a copy and writes nothing', async () => {
  expect(await machine.json(['copy-plan', 'one', 'hats', 'two', 'caps'])).toEqual({
    ...{ rows: 2, rowsThere: 2, mode: 'create', request: 'create it', asText: [], problems: [], confirm: 'caps' },
  });
  expect((await machine.run(['copy-plan', 'one', 'hats', 'two', 'new', '--create'])).out).toContain('make new');
  expect([written, made]).toEqual([[], []]);
});

it('says where a table is missing, and that it can be made', async () => {
  const mustBeThere = ({ name }: { readonly name: string }): void => {
    if (!['hats', 'caps'].includes(name)) throw new DriverError('NOT_FOUND', `There is no table “${name}”.`);
  };
  const { describeTable, import: writes } = machine.database;
  if (describeTable === undefined || writes === undefined) throw new Error('The database is incomplete.');
  machine.database.describeTable = async (ref, options) => {
    mustBeThere(ref);
    return describeTable(ref, options);
  };
  machine.database.import = {
    ...writes,
    form: async (table, options) => {
      mustBeThere(table);
      return writes.form(table, options);
    },
  };
  for (const command of ['copy-plan', 'copy']) {
    const { code, err } = await machine.run([command, 'one', 'hats', 'two', 'nowhere']);
    expect([code !== 0, err], command).toEqual([true, expect.stringContaining('” has no “nowhere”.')]);
    expect(err, command).toMatch(/two/i);
    expect(err, command).toContain('--create');
  }
  machine.database.export = {
    splice: async () => undefined,
    judge: () => undefined,
    rows: ({ table }) => {
      mustBeThere(table);
      return exported();
    },
  };
  const { err } = await machine.run(['copy', 'one', 'nothing', 'two', 'caps', '--confirm', 'caps']);
  expect(err).toMatch(/“one” has no “nothing”/i);
  expect(err).not.toContain('--create');
  expect([written, made]).toEqual([[], []]);
});

it('copies into a table that is there by its name alone, and into a new one', async () => {
  const { code, err } = await machine.run(['copy', 'one', 'hats', 'two', 'caps']);
  expect([code, err]).toEqual([1, expect.stringContaining('Type caps')]);
  expect(written).toEqual([]);
  expect(await machine.json(['copy', 'one', 'hats', 'two', 'caps', '--confirm', 'caps'])).toEqual({
    read: 2,
    written: 2,
    rejected: 0,
  });
  expect(written).toEqual(['{"id":"a","size":57}', '{"id":"b","size":58}']);
  written.length = 0;
  expect((await machine.run(['copy', 'one', 'hats', 'two', '--create'])).code).toBe(0);
  expect(made).toEqual(['make hats']);
  expect((await machine.run(['copy', 'one', 'hats', 'one', '--confirm', 'hats'])).err).toContain('into itself');
});

it('resumes without doubles after the target was gone', async () => {
  failsAfter = 1;
  const { code, err } = await machine.run(['copy', 'one', 'hats', 'two', 'caps', '--confirm', 'caps']);
  expect([code, err]).toEqual([1, expect.stringContaining('--resume')]);
  failsAfter = Infinity;
  expect(await machine.json(['copy', 'one', 'hats', 'two', 'caps', '--resume'])).toEqual({ read: 2, written: 2, rejected: 0 });
  expect(written).toHaveLength(2);
  expect((await machine.run(['copy', 'one', 'hats', 'two', 'caps', '--resume'])).err).toContain('was interrupted');
});

it('names the schemas of the database that the name of a new table begins with, and why that one refuses', async () => {
  const { import: facet } = machine.database;
  if (facet?.tables === undefined) throw new Error('The database makes no tables.');
  machine.database.namespaces = new FakeNamespaces({ 'shop/public': [], 'wide/public': [], 'hidden/public': [] }).facet;
  const namespaces = async ({ within }: { readonly within?: readonly string[] }): Promise<string[][]> => {
    const [database = 'shop'] = within ?? [];
    if (database === 'hidden') throw new DriverError('ACCESS_REFUSED', 'The server rejects the connection to “hidden”.');
    if (database !== 'shop' && database !== 'wide') throw new DriverError('NOT_FOUND', 'There is no such database.');
    return [[database, 'public']];
  };
  machine.database.import = { ...facet, tables: { ...facet.tables, namespaces } };
  for (const command of ['copy', 'copy-plan']) {
    const { code, err } = await machine.run([command, 'one', 'hats', 'two', 'wide.nosuch.x', '--create']);
    expect(code).not.toBe(0);
    expect(err).toContain('wide.public.');
    expect(err).not.toContain('shop.');
    expect((await machine.run([command, 'one', 'hats', 'two', 'hidden.nosuch.x', '--create'])).err).toContain(
      'The server rejects the connection',
    );
    expect((await machine.run([command, 'one', 'hats', 'two', 'gone.nosuch.x', '--create'])).err).toContain('shop.public.');
  }
});
