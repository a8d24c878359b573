import type { OperationResult, TableOperation } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runOperationSchema } from '../../common/principals.ts';
import { BOOKS, FakeWork, never } from '../work.test-helper.ts';
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

  it('that destroy need the exact name of the table behind the name typed', async () => {
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
