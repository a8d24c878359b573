import type { OperationResult, TableOperation } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOST_READINGS } from '../../common/metrics.ts';
import { runOperationSchema } from '../../common/principals.ts';
import { BOOKS, FakeWork, never } from '../work.test-helper.ts';
import { Metrics } from './metrics.ts';
import { Principals } from './principals.ts';
import { TableOperations } from './tableOperations.ts';

let work: FakeWork;
beforeEach(() => {
  work = new FakeWork();
});
afterEach(() => work[Symbol.asyncDispose]());

describe('table operations', () => {
  const target = { namespace: [], name: 'books_v2' };
  const ran: unknown[] = [];
  /** The connections whose tables were reported as changed. */
  const reported: string[] = [];
  let operations: TableOperations;

  beforeEach(() => {
    ran.length = 0;
    reported.length = 0;
    operations = new TableOperations(work.sessions, (connectionId) => reported.push(connectionId));
    const known: TableOperation[] = [
      { id: 'empty', label: 'Empty', effect: 'destructive', ability: { allowed: true } },
      { id: 'refresh', label: 'Refresh', effect: 'write', ability: { allowed: true } },
      { id: 'delete', label: 'Delete', effect: 'destructive', ability: { allowed: false, reason: 'The key may not.' } },
    ];
    work.session.tableOperations = {
      list: async () => known,
      plan: async () => ({ consequence: 'All is lost.', target, text: 'DELETE' }),
      run: async (table, operation, confirmed): Promise<OperationResult> => {
        ran.push([table.name, operation, confirmed.name]);
        return { message: 'Done.' };
      },
    };
  });

  const run = (operation: string, typedName?: string) =>
    operations.run(
      runOperationSchema.parse({ connectionId: work.connectionId, table: BOOKS, operation, confirmed: target, typedName }),
      never,
    );

  it('that destroy want the name of what is really behind the table, to the letter', async () => {
    for (const typed of [undefined, 'books', 'books_V2', ' books_v2']) {
      await expect(run('empty', typed)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    }
    expect([ran, reported]).toEqual([[], []]);
    expect(await run('empty', 'books_v2')).toEqual({ message: 'Done.' });
    await run('refresh');
    expect(ran).toEqual([
      ['books', 'empty', 'books_v2'],
      ['books', 'refresh', 'books_v2'],
    ]);
    expect(reported).toEqual([work.connectionId, work.connectionId]);
  });

  it('reload the structures, which may differ, also under another name', async () => {
    const describeBooks = () => work.sessions.describe(work.connectionId, BOOKS, false, { signal: never });
    await describeBooks();
    work.description = { ...work.description, notes: ['Emptied.'] };
    expect((await describeBooks()).notes).toEqual([]);
    await run('empty', 'books_v2');
    expect((await describeBooks()).notes).toEqual(['Emptied.']);
  });

  it('are not tried when they are unknown or not possible', async () => {
    await expect(run('explode', 'books_v2')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(run('delete', 'books_v2')).rejects.toMatchObject({ code: 'UNSUPPORTED', message: 'The key may not.' });
    expect(ran).toEqual([]);
  });

  it('pass on their plan, and say so where there are none', async () => {
    expect(await operations.plan(work.connectionId, BOOKS, 'empty', never)).toMatchObject({ target });
    work.session.tableOperations = undefined;
    await work.sessions.close(work.connectionId);
    await expect(operations.list(work.connectionId, BOOKS, never)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

describe('metrics', () => {
  it('are read with their time and kept, the last of them, until the connection is changed', async () => {
    let value = 0;
    work.session.metrics = {
      missingPanels: [{ id: 'sessions', label: 'Sessions', reason: 'None.' }],
      read: async () => ({ metrics: [{ id: 'm', label: 'M', unit: 'count', value: (value += 1) }], problems: [] }),
    };
    const metrics = new Metrics(work.sessions, work.connections);
    expect(await metrics.info(work.connectionId, never)).toMatchObject({ missingPanels: [{ id: 'sessions' }] });
    for (let count = 0; count < MOST_READINGS + 5; count += 1) await metrics.read(work.connectionId, never);
    const history = metrics.history(work.connectionId);
    expect([history.length, history[0]?.metrics[0]?.value, history.at(-1)?.metrics[0]?.value]).toEqual([
      MOST_READINGS,
      6,
      MOST_READINGS + 5,
    ]);
    expect(Date.parse(String(history[0]?.at))).not.toBeNaN();
    work.connections.remove(work.connectionId);
    expect(metrics.history(work.connectionId)).toEqual([]);
  });
});

describe('principals', () => {
  it('are read again every time, and only the response to a new one has its secret', async () => {
    const asked: string[] = [];
    const principal = {
      id: '1',
      label: 'one',
      reach: 'all',
      serverWide: true,
      actions: ['*'],
      attributes: [],
      removable: { allowed: true as const },
    };
    work.session.principals = {
      term: { one: 'key', other: 'keys' },
      editable: { allowed: false, reason: 'Make a new one.' },
      list: async () => {
        asked.push('list');
        return [principal];
      },
      form: async () => [],
      create: async () => ({ principal, secret: { label: 'Key', value: 'told-once' } }),
      remove: async () => Promise.reject(new DriverError('NOT_FOUND')),
    };
    const principals = new Principals(work.sessions);
    expect(await principals.info(work.connectionId, never)).toMatchObject({ term: { one: 'key' }, editable: { allowed: false } });
    expect((await principals.create(work.connectionId, {}, never)).secret?.value).toBe('told-once');
    await principals.list(work.connectionId, never);
    expect(JSON.stringify(await principals.list(work.connectionId, never))).not.toContain('told-once');
    expect(asked).toHaveLength(2);
    await expect(principals.remove(work.connectionId, '1', never)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const tables = work.database.connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of tables) {
      expect(JSON.stringify(work.database.connection.prepare(`SELECT * FROM "${String(name)}"`).all())).not.toContain(
        'told-once',
      );
    }
  });
});
