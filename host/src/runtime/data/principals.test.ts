import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeWork, never } from '../work.test-helper.ts';
import { Principals } from './principals.ts';

let work: FakeWork;
beforeEach(() => {
  work = new FakeWork();
});
afterEach(() => work[Symbol.asyncDispose]());

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
