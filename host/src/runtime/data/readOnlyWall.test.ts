import { DriverError } from '@tabularium/sdk';
import type { ConsoleFacet, ConsoleSession, ResultEvent, RunOptions, StatementEffect } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { readOnlyWall } from './readOnlyWall.ts';
import type { ConnectedSession } from './sessions.ts';

// This wall alone: no service asks before these calls.

const signal = new AbortController().signal;
const table = { namespace: [], name: 'books' };

const word = { kind: 'word', name: 'a' };

class Frozen extends Error {}

/** A session that notes what reaches the database. */
function fakeSession(reached: string[]): ConnectedSession {
  return {
    server: { product: 'Sample' },
    findings: [],
    ping: () => Promise.resolve(),
    listTables: () => Promise.resolve([]),
    describeTable: () => Promise.reject(new DriverError('UNSUPPORTED')),
    readPage: () => Promise.reject(new DriverError('UNSUPPORTED')),
    countRows: () => Promise.resolve({ rows: 0, exact: true }),
    close: () => Promise.resolve(),
    onClosed: () => undefined,
    edits: {
      atomicity: 'each',
      prepare: () => Promise.resolve([]),
      async *apply() {
        reached.push('apply');
        yield { index: 0, outcome: 'saved' };
      },
    },
    console: {
      split: (text) => [{ text, start: 0, end: text.length }],
      classify: (statement) =>
        Promise.resolve({ effect: statement.startsWith('read') ? 'read' : 'write', summary: 'A statement', tables: [] }),
      async *run(statement) {
        reached.push(statement);
        yield { type: 'done', truncated: false, milliseconds: 1 };
      },
      openSession: () =>
        Promise.resolve({
          context: { transaction: 'none' },
          classify: (statement) =>
            Promise.resolve({ effect: statement.startsWith('read') ? 'read' : 'write', summary: 'A statement', tables: [] }),
          async *run(statement) {
            reached.push(`${statement} in a session`);
            yield { type: 'done', truncated: false, milliseconds: 1 };
          },
          endTransaction: (way) => {
            reached.push(way);
            return Promise.resolve({ transaction: 'none' });
          },
          close: () => Promise.resolve(),
        }),
    },
    explain: {
      classify: (statement) =>
        Promise.resolve({ effect: statement.startsWith('read') ? 'read' : 'write', summary: 'A plan', tables: [] }),
      explain: (statement) => {
        reached.push(`plan of ${statement}`);
        return Promise.resolve({ nodes: [], notes: [] });
      },
    },
    activity: {
      list: () => Promise.resolve({ entries: [], notes: [] }),
      end: ({ way }) => {
        reached.push(way);
        return Promise.resolve({ outcome: 'ended' });
      },
    },
    principals: {
      term: { one: 'Key', other: 'Keys' },
      editable: { allowed: true },
      list: () => Promise.resolve([]),
      form: () => Promise.resolve([]),
      create: () => {
        reached.push('create');
        return Promise.reject(new DriverError('UNSUPPORTED'));
      },
      remove: () => {
        reached.push('remove');
        return Promise.resolve();
      },
      changes: {
        addable: { allowed: true },
        details: () => Promise.resolve([]),
        form: () => Promise.resolve([]),
        plan: () => Promise.resolve({ statements: ['x'], notes: [] }),
        run: () => {
          reached.push('change');
          return Promise.resolve([]);
        },
      },
    },
    objects: {
      kinds: () => Promise.resolve([]),
      list: () => Promise.resolve({ objects: [] }),
      get: () => Promise.reject(new DriverError('NOT_FOUND')),
      plan: () => Promise.reject(new DriverError('UNSUPPORTED')),
      apply: ({ action }) => {
        reached.push(action);
        return Promise.resolve();
      },
    },
    import: {
      form: () => Promise.reject(new DriverError('UNSUPPORTED')),
      check: () => Promise.resolve([]),
      splice: () => {
        reached.push('splice');
        return Promise.resolve(undefined);
      },
      judge: () => [],
      async *write() {
        reached.push('rows');
        yield { outcome: 'written' };
      },
      tables: {
        propose: () => Promise.resolve('{}'),
        plan: () => Promise.reject(new DriverError('UNSUPPORTED')),
        create: () => {
          reached.push('table');
          return Promise.resolve();
        },
        discard: () => {
          reached.push('discard');
          return Promise.resolve();
        },
      },
    },
    tableOperations: {
      list: () =>
        Promise.resolve([
          { id: 'check', label: 'Check', effect: 'read', ability: { allowed: true } },
          { id: 'empty', label: 'Empty', effect: 'destructive', ability: { allowed: true } },
        ]),
      plan: () => Promise.reject(new DriverError('UNSUPPORTED')),
      run: (_table, operation) => {
        reached.push(operation);
        return Promise.resolve({ message: 'Done.' });
      },
    },
  };
}

/** Every call that can change data, as a service makes it. */
function writes({
  edits,
  console,
  objects,
  principals,
  tableOperations,
  ...others
}: ConnectedSession): Record<string, () => Promise<unknown>> {
  return {
    apply: () => Array.fromAsync(edits?.apply(table, [], { signal }) ?? []),
    statement: () => Array.fromAsync(console?.run('write x', { maxRows: 1, signal }) ?? []),
    inSession: async () => {
      const own = await console?.openSession?.({ signal });
      return Array.fromAsync(own?.run('write x', { maxRows: 1, signal }) ?? []);
    },
    commit: async () => (await console?.openSession?.({ signal }))?.endTransaction('commit', { signal }),
    plan: () => Promise.resolve(others.explain?.explain('write x', { analyze: false, signal })),
    end: () => Promise.resolve(others.activity?.end({ id: '1', way: 'cancel' }, { signal })),
    create: () => Promise.resolve(principals?.create({}, { signal })),
    remove: () => Promise.resolve(principals?.remove('1', { signal })),
    change: () => Promise.resolve(principals?.changes?.run({ is: 'add', input: {} }, ['x'], { signal })),
    save: () => Promise.resolve(objects?.apply({ action: 'save', object: word, document: '{}', was: null }, { signal })),
    removal: () => Promise.resolve(objects?.apply({ action: 'remove', object: word }, { signal })),
    splice: () => Promise.resolve(others.import?.splice({ table, mode: 'create' }, { signal })),
    rows: () => Array.fromAsync(others.import?.write({ table, mode: 'create' }, ['{}'], { signal }) ?? []),
    table: () => Promise.resolve(others.import?.tables?.create(table, '{}', { signal })),
    discard: () => Promise.resolve(others.import?.tables?.discard?.(table, { signal })),
    empty: () => Promise.resolve(tableOperations?.run(table, 'empty', table, { signal })),
    unlisted: () => Promise.resolve(tableOperations?.run(table, 'unlisted', table, { signal })),
  };
}

it('lets no write reach the database in read-only mode, also when the mode begins while the session is open', async () => {
  const reached: string[] = [];
  let frozen = false;
  const require = (effect: StatementEffect): void => {
    if (frozen && effect !== 'read') throw new Frozen();
  };
  const session = readOnlyWall(fakeSession(reached), require);
  await Array.fromAsync(session.edits?.apply(table, [], { signal }) ?? []);
  expect(reached).toEqual(['apply']);
  frozen = true;
  for (const [name, call] of Object.entries(writes(session))) await expect(call(), name).rejects.toThrow(Frozen);
  expect(reached).toEqual(['apply']);
});

it('passes on no member of a facet that it has no answer for', () => {
  const reached: string[] = [];
  const made = fakeSession(reached);
  const later = { ...made.console, runLater: () => reached.push('later') };
  const session = readOnlyWall({ ...made, console: later as NonNullable<typeof made.console> }, () => undefined);
  expect(session.console).not.toHaveProperty('runLater');
  expect(Object.keys(session.console ?? {}).toSorted()).toEqual(['classify', 'openSession', 'run', 'split']);
});

it('lets a transaction be rolled back in read-only mode', async () => {
  const reached: string[] = [];
  const session = readOnlyWall(fakeSession(reached), (effect) => {
    if (effect !== 'read') throw new Frozen();
  });
  const own = await session.console?.openSession?.({ signal });
  await Array.fromAsync(own?.run('read x', { maxRows: 1, signal }) ?? []);
  await own?.endTransaction('rollBack', { signal });
  expect(reached).toEqual(['read x in a session', 'rollBack']);
});

it('gives the driver the most that a statement may do, also where less was permitted before', async () => {
  const given: unknown[] = [];
  const made = fakeSession([]);
  const noting = (facet: NonNullable<typeof made.console>) => ({
    ...facet,
    async *run(statement: string, { permitted }: RunOptions): AsyncGenerator<ResultEvent> {
      given.push([statement, permitted]);
      yield { type: 'done', truncated: false, milliseconds: 1 };
    },
  });
  const console = noting(made.console as NonNullable<typeof made.console>);
  const openSession: ConsoleFacet['openSession'] = async (options) => {
    const own = await made.console?.openSession?.(options);
    return Object.assign(own as ConsoleSession, { run: console.run });
  };
  const session = readOnlyWall({ ...made, console: { ...console, openSession } }, (effect) => {
    if (effect === 'destructive') throw new Frozen();
  });
  for (const runner of [session.console, await session.console?.openSession?.({ signal })]) {
    given.length = 0;
    await Array.fromAsync(runner?.run('read x', { maxRows: 1, signal }) ?? []);
    await Array.fromAsync(runner?.run('write x', { maxRows: 1, signal }) ?? []);
    await Array.fromAsync(runner?.run('write y', { maxRows: 1, signal, permitted: { effect: 'destructive' } }) ?? []);
    await Array.fromAsync(runner?.run('write z', { maxRows: 1, signal, permitted: { effect: 'read' } }) ?? []);
    expect(given).toEqual([
      ['read x', { effect: 'read', tables: [] }],
      ['write x', { effect: 'write', tables: [] }],
      ['write y', { effect: 'write', tables: [] }],
      ['write z', { effect: 'read' }],
    ]);
  }
});

it('lets reading through', async () => {
  const reached: string[] = [];
  const session = readOnlyWall(fakeSession(reached), (effect) => {
    if (effect !== 'read') throw new Frozen();
  });
  expect(await Array.fromAsync(session.console?.run('read x', { maxRows: 1, signal }) ?? [])).toMatchObject([{ type: 'done' }]);
  expect(await session.tableOperations?.run(table, 'check', table, { signal })).toEqual({ message: 'Done.' });
  expect(await session.activity?.list({ signal })).toEqual({ entries: [], notes: [] });
  expect(reached).toEqual(['read x', 'check']);
});
