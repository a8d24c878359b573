import { DriverError, encodeBatch } from '@tabularium/sdk';
import type { PageRequest } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let asked: PageRequest[];
let answerPage: (request: PageRequest) => readonly (readonly string[])[];

const names = ['customers', 'orders\u202e', 'events'];

beforeEach(async () => {
  machine = await FakeMachine.create();
  asked = [];
  answerPage = ({ table }) => (table.name === 'events' ? [] : [['7', 'Mail of Ann@example.org']]);
  machine.database.tables = names.map((name) => ({ ref: { namespace: ['public'], name }, kind: 'table' as const }));
  machine.database.describeTable = async (ref) => ({
    ref,
    kind: 'table',
    columns: ['id', 'mail'].map((name) => ({
      ...{ name, kind: 'text', type: 'text', nullable: true, filterClass: 'text' },
      ...{ editable: { allowed: true }, sortable: { allowed: true } },
    })),
    key: ['id'],
    paging: 'offset',
    readsFromEnd: false,
    notes: [],
  });
  machine.database.readPage = async (request) => {
    asked.push(request);
    const rows = answerPage(request);
    const columns = ['id', 'mail'].map((name) => ({ name, kind: 'text' as const }));
    return { batch: encodeBatch({ columns, rows: [...rows] }), rowCount: rows.length, atEnd: true, droppedSorts: [] };
  };
  await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'Shop', '--access-key-env', 'K'], {
    env: { K: 'k' },
  });
});
afterEach(() => machine[Symbol.asyncDispose]());

const find = (...line: readonly string[]) => machine.run(['find', 'Shop', ...line]);

describe('tabularium find', () => {
  it('prints the rows of each table with the places of the text, and how many tables were asked', async () => {
    const { code, out, err } = await find('ann@');
    expect({ code, err }).toEqual({ code: 0, err: 'Found in 2 of 3 tables\n' });
    expect(out).toBe(
      'public.customers: 1 row\n  id=7  mail: Mail of [Ann@]example.org\npublic.orders⟨U+202E⟩: 1 row\n  id=7  mail: Mail of [Ann@]example.org\n',
    );
  });

  it('prints all of it as JSON', async () => {
    const { code, out } = await find('ann@', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      tables: [
        { table: 'public.customers', rows: [{ key: { id: '7' }, found: { mail: 'Mail of Ann@example.org' } }], more: false },
        { table: 'public.orders\u202e', rows: [{ key: { id: '7' }, found: { mail: 'Mail of Ann@example.org' } }], more: false },
      ],
      leftOut: [],
      uncompared: [],
      asked: 3,
      notAsked: [],
    });
  });

  it('looks in named tables and namespaces, and takes its options', async () => {
    await find('ann@', '--table', 'events', '--exact', '--match-case', '--limit', '3');
    expect(asked).toMatchObject([
      {
        table: { name: 'events' },
        limit: 4,
        filter: { matchCase: true, conditions: [{ operator: 'equals' }, { operator: 'equals' }] },
      },
    ]);
    expect((await find('ann@', '--namespace', 'public')).err).toContain('of 3 tables');
    expect(await find('ann@', '--namespace', 'private')).toMatchObject({
      code: 1,
      err: expect.stringContaining('private') as string,
    });
  });

  it('says which tables were left out and why', async () => {
    answerPage = ({ table }) => {
      if (table.name === 'customers') throw new DriverError('ACCESS_REFUSED', 'permission denied');
      return [];
    };
    expect(await find('ann@')).toMatchObject({
      code: 0,
      out: '',
      err: 'Found in 0 of 3 tables\nLeft out: public.customers: permission denied\n',
    });
  });

  it('prints what was found before the connection was lost, and which tables were not asked', async () => {
    answerPage = ({ table }) => {
      if (table.name === 'events') throw new DriverError('CONNECTION_LOST', 'The server is gone.');
      return [['7', 'ann@']];
    };
    const { code, out, err } = await find('ann@');
    expect(code).toBe(1);
    expect(out).toContain('public.customers: 1 row');
    expect(err).toContain('Not asked: public.events');
    expect(err).toContain('The server is gone.');
    const asJson = await find('ann@', '--json');
    expect(JSON.parse(asJson.out)).toMatchObject({ asked: 2, notAsked: ['public.events'] });
  });

  it('refuses a blank text and one with a zero character', async () => {
    expect(await find('  ')).toMatchObject({ code: 1, err: expect.stringContaining('text') as string });
    expect(asked).toEqual([]);
  });
});
