import { DriverError } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeWork, never } from '../work.test-helper.ts';
import { NamedTables } from './namedTables.ts';

const REASON = 'The key may not list boxes.';

let work: FakeWork;
let named: NamedTables;

beforeEach(() => {
  work = new FakeWork();
  named = new NamedTables(work.sessions, work.database);
});
afterEach(() => work[Symbol.asyncDispose]());

const box = (name: string): TableRef => ({ namespace: [], name });
const view = () => named.view(work.connectionId, never);
const open = (name: string) => named.open(work.connectionId, name, never);

function findsAll(): void {
  work.session.namedTables = {
    reason: REASON,
    find: async (name) => {
      if (name === 'absent') throw new DriverError('NOT_FOUND', 'There is no box “absent”.');
      return { ref: box(name.toLowerCase()), kind: 'table' };
    },
  };
}

describe('tables that are opened by name', () => {
  it('are kept as the driver names them, each once, by name', async () => {
    findsAll();
    expect(await view()).toEqual({ reason: REASON, tables: [] });
    for (const name of ['Pears', 'apples', 'pears']) await open(name);
    expect(await view()).toEqual({ reason: REASON, tables: [box('apples'), box('pears')] });
    named.forget(work.connectionId, box('pears'));
    named.forget(work.connectionId, box('never opened'));
    expect((await view()).tables).toEqual([box('apples')]);
  });

  it('are not kept when they are not found', async () => {
    findsAll();
    await expect(open('absent')).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'There is no box “absent”.' });
    expect((await view()).tables).toEqual([]);
  });

  it('keep the last 200 of a connection', async () => {
    findsAll();
    for (let index = 0; index < 203; index += 1) await open(`box ${index}`);
    await open('box 3');
    const names = (await view()).tables.map(({ name }) => name);
    expect(names).toHaveLength(200);
    expect(['box 0', 'box 1', 'box 2'].filter((name) => names.includes(name))).toEqual([]);
    expect(names).toContain('box 3');
  });

  it('go with their connection', async () => {
    findsAll();
    await open('pears');
    work.connections.remove(work.connectionId);
    expect(work.database.connection.prepare('SELECT count(*) AS stored FROM named_tables').get()).toEqual({ stored: 0 });
  });

  it('are not offered where the list has every table', async () => {
    expect(await view()).toEqual({ tables: [] });
    await expect(open('pears')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});
