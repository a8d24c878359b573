import { readdir } from 'node:fs/promises';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DriverError } from '@tabularium/sdk';
import type { Cell, ExportEvent, ImportFacet, TableRef } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ImportInfo } from '../../common/imports.ts';
import { startImportSchema } from '../../common/imports.ts';
import { silentLogger } from '../storage/logger.ts';
import { BOOKS, BOOKS_DESCRIPTION, FakeWork, never } from '../work.test-helper.ts';
import { ImportJournal } from './importJournal.ts';
import { Imports } from './imports.ts';
import { Uploads } from './uploads.ts';

const NEW_TABLE: TableRef = { namespace: [], name: 'shelf' };

let folder: string;
let work: FakeWork;
let imports: Imports;
let targetId: string;
/** Rows of the source: an id and a number. */
let source: Cell[][] = [];
/** Called before each row leaves the source, and before each is written. */
let beforeRead: (index: number) => void | Promise<void>;
let beforeWrite: (index: number) => void | Promise<void>;
let stored: Map<string, string>;
let isCreated: boolean;
let writes: number;
let likened: string[];

async function* exported(): AsyncGenerator<ExportEvent> {
  yield {
    type: 'begin',
    columns: [
      { name: 'id', kind: 'integer' },
      { name: 'title', kind: 'text' },
    ],
  };
  for (const [index, row] of source.entries()) {
    await beforeRead(index);
    yield { type: 'rows', rows: [row] };
  }
}

const facet: ImportFacet = {
  form: async () => ({
    modes: [
      { id: 'create', label: 'Create', help: 'Adds.', effect: 'write', repeated: 'reported', text: 'create' },
      { id: 'upsert', label: 'Upsert', help: 'Replaces.', effect: 'destructive', repeated: 'same', text: 'upsert' },
    ],
    language: 'text',
    key: ['id'],
  }),
  check: async (_target, rows) =>
    rows.flatMap((row, index) => (row.includes('"id":"') ? [] : [{ index, message: 'The id is a text.', column: 'id' }])),
  splice: async () => undefined,
  judge: () => [],
  async *write({ mode }, rows) {
    for (const row of rows) {
      await beforeWrite(writes);
      writes += 1;
      const { id } = JSON.parse(row) as { id: unknown };
      if (typeof id !== 'string') yield { outcome: 'rejected', message: 'The id is a text.', column: 'id' };
      else if (stored.has(id) && mode === 'create') yield { outcome: 'rejected', message: 'There already.', present: true };
      else {
        stored.set(id, row);
        yield { outcome: 'written' };
      }
    }
  },
  tables: {
    propose: async (table, rows) => {
      if (rows.some((row) => !row.includes('"id":"')))
        throw new DriverError('INVALID_INPUT', 'The id has to be a string.', { details: { field: 'id' } });
      return `make ${table.name}`;
    },
    like: async (table, definition) => {
      likened.push(definition);
      return `make ${table.name}`;
    },
    plan: async () => ({ effect: 'write', consequence: 'It is made.', requests: [{ method: 'MAKE', path: 'it' }] }),
    create: async () => {
      isCreated = true;
    },
    discard: async () => {
      if (stored.size > 0) throw new DriverError('CONFLICT', 'It has rows.');
      isCreated = false;
    },
  },
};

function newImports(): Imports {
  const journal = new ImportJournal(work.database.connection, silentLogger);
  const home = join(folder, 'home');
  return new Imports(work.sessions, journal, new Uploads(home), () => undefined, silentLogger, home);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-copy-'));
  await mkdir(join(folder, 'home'));
  work = new FakeWork();
  targetId = work.newConnection('Target');
  work.session.import = facet;
  work.session.export = { splice: async () => undefined, judge: () => undefined, rows: () => exported() };
  work.session.countRows = async () => ({ rows: source.length, exact: true });
  source = [
    ['9007199254740993', 'Walden'],
    [2, null],
    [3, 'Emma'],
  ];
  beforeRead = () => undefined;
  beforeWrite = () => undefined;
  stored = new Map();
  isCreated = false;
  writes = 0;
  likened = [];
  imports = newImports();
});
afterEach(async () => {
  await imports[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const request = (more: object = {}) => ({
  connectionId: targetId,
  table: NEW_TABLE,
  source: { is: 'table' as const, connectionId: work.connectionId, table: BOOKS },
  ...more,
});
const asText = [
  { source: 'id', target: 'id', type: 'text' },
  { source: 'title', target: 'title' },
];

async function start(more: object = {}): Promise<ImportInfo> {
  return imports.start(startImportSchema.parse(request({ mapping: asText, typedName: 'shelf', ...more })), never);
}

async function stopped(id: string): Promise<ImportInfo> {
  let last: ImportInfo | undefined;
  for await (const info of imports.follow(id, never)) last = info;
  if (last === undefined) throw new Error('The copy is gone.');
  return last;
}

const filesLeft = async (): Promise<string[]> =>
  (await readdir(join(folder, 'home', 'imports'))).filter((name) => name.endsWith('.source'));

it('copies each row, integers digit for digit, and leaves no file', async () => {
  const info = await start();
  expect(info).toMatchObject({ state: 'reading', from: { connectionId: work.connectionId, table: BOOKS }, name: 'books' });
  expect(await stopped(info.id)).toMatchObject({ state: 'done', read: 3, written: 3, rejected: 0 });
  expect(stored.get('9007199254740993')).toBe('{"id":"9007199254740993","title":"Walden"}');
  expect(await filesLeft()).toEqual([]);
});

it('is planned by the first rows: what would be rejected, what has to become text, the counts, the name to type', async () => {
  const plan = await imports.preview({ ...request(), create: false, mapping: undefined, mode: 'upsert' }, never);
  expect(plan.suggested).toEqual(asText);
  expect(plan.rows.every(({ problem }) => problem === undefined)).toBe(true);
  expect(plan.copy).toEqual({
    connection: 'One',
    rows: { rows: 3, exact: true },
    rowsThere: { rows: 3, exact: true },
    isLike: false,
    confirm: 'shelf',
  });
  expect(writes).toBe(0);
});

it('proposes a new table with the id as text where the database takes no other', async () => {
  const plan = await imports.preview({ ...request(), create: true, mapping: undefined, mode: undefined }, never);
  expect(plan).toMatchObject({ definition: 'make shelf', suggested: asText, copy: { isLike: false } });
  const info = await start({ definition: plan.definition, typedName: undefined });
  expect(await stopped(info.id)).toMatchObject({ state: 'done', written: 3 });
  expect(isCreated).toBe(true);
});

it('makes the definition of the source where both are of one driver', async () => {
  work.description = { ...BOOKS_DESCRIPTION, definition: { language: 'text', text: 'make books' } };
  const plan = await imports.preview({ ...request(), create: true, mapping: undefined, mode: undefined }, never);
  expect(plan).toMatchObject({ definition: 'make shelf', copy: { isLike: true } });
  expect(likened).toEqual(['make books']);
});

it('writes nothing into a table that is there without its name, in read-only mode, or into itself', async () => {
  await expect(start({ typedName: 'books' })).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  await expect(start({ typedName: undefined })).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  await expect(start({ connectionId: work.connectionId, table: BOOKS, typedName: 'books' })).rejects.toThrow(/into itself/);
  work.description = { ...BOOKS_DESCRIPTION, identity: 'the same one' };
  await expect(start({ connectionId: work.connectionId })).rejects.toThrow(/into itself/);
  work.connections.update(targetId, {
    ...work.connections.get(targetId),
    access: { externalClients: 'readOnly', aiPolicy: 'askEachTime', readOnly: true },
  } as never);
  await expect(start({ definition: 'make shelf' })).rejects.toMatchObject({ code: 'CONNECTION_READ_ONLY' });
  expect([writes, isCreated]).toEqual([0, false]);
});

it('writes nothing where the source fails in the middle, and reads it again when it is resumed', async () => {
  let reads = 0;
  beforeRead = (index) => {
    // The first rows were looked at before.
    if (index === 0) reads += 1;
    if (reads === 2 && index === 2) throw new DriverError('CONNECTION_LOST', 'The source is gone.');
  };
  const { id } = await start();
  expect(await stopped(id)).toMatchObject({ state: 'interrupted', error: { code: 'CONNECTION_LOST' } });
  expect([writes, await filesLeft()]).toEqual([0, []]);
  await imports.resume({ id }, never);
  expect(await stopped(id)).toMatchObject({ state: 'done', written: 3 });
});

it('continues with the rows that it read, though the source changed, and doubles none', async () => {
  source = Array.from({ length: 50 }, (_, index) => [index, `Book ${index}`]);
  beforeWrite = (index) => {
    if (index === 20) throw new DriverError('CONNECTION_LOST', 'The target is gone.');
  };
  const { id } = await start();
  expect(await stopped(id)).toMatchObject({ state: 'interrupted', uncertain: 50 });
  await imports[Symbol.asyncDispose]();
  source = [[99, 'Other']];
  beforeWrite = () => undefined;
  imports = newImports();
  await imports.restore();
  await imports.resume({ id }, never);
  expect(await stopped(id)).toMatchObject({ state: 'done', read: 50, written: 50, rejected: 0 });
  expect([stored.size, await filesLeft()]).toEqual([50, []]);
});

it('that the next host finds while it was being read begins again', async () => {
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let reads = 0;
  beforeRead = async (index) => {
    if (index === 0) reads += 1;
    if (reads !== 2 || index !== 1) return;
    reached.resolve();
    await go.promise;
  };
  const { id } = await start();
  await reached.promise;
  const ended = imports[Symbol.asyncDispose]();
  go.resolve();
  await ended;
  imports = newImports();
  await imports.restore();
  expect(imports.list()).toMatchObject([{ id, state: 'interrupted' }]);
  expect(await filesLeft()).toEqual([]);
  await imports.resume({ id }, never);
  expect(await stopped(id)).toMatchObject({ state: 'done', written: 3 });
});

it.each(['pause', 'cancel'] as const)('is stopped by %s while it is being read, before anything is written', async (how) => {
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let reads = 0;
  beforeRead = async (index) => {
    if (index === 0) reads += 1;
    if (reads !== 2 || index !== 1) return;
    reached.resolve();
    await go.promise;
  };
  const { id } = await start();
  await reached.promise;
  const asked = how === 'pause' ? Promise.resolve(imports.pause(id)) : imports.cancel(id);
  go.resolve();
  await asked;
  const info = await stopped(id);
  expect(info.state).toBe(how === 'pause' ? 'paused' : 'cancelled');
  expect([writes, await filesLeft()]).toEqual([0, []]);
  if (how === 'cancel') return;
  await imports.resume({ id }, never);
  expect(await stopped(id)).toMatchObject({ state: 'done', written: 3 });
});

const asNew = { definition: 'make shelf', typedName: undefined };
const MADE = { ...BOOKS_DESCRIPTION, identity: 'of this copy', definition: { language: 'text', text: 'make shelf' } };

async function cancelledWhileReading(onReached: () => void = () => undefined): Promise<ImportInfo> {
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let reads = 0;
  beforeRead = async (index) => {
    if (index === 0) reads += 1;
    if (reads !== 2 || index !== 1) return;
    reached.resolve();
    await go.promise;
  };
  const { id } = await start(asNew);
  await reached.promise;
  onReached();
  const asked = imports.cancel(id);
  go.resolve();
  await asked;
  return stopped(id);
}

it('that is cancelled before a row was written removes the table that it made', async () => {
  work.description = MADE;
  expect(await cancelledWhileReading()).toMatchObject({ state: 'cancelled', written: 0, newTable: 'removed' });
  expect(isCreated).toBe(false);
});

it.each([
  ['has rows by now', () => stored.set('1', '{}')],
  ['was changed by somebody', () => (work.description = { ...MADE, definition: { language: 'text', text: 'other' } })],
  ['is another one of the same name', () => (work.description = { ...MADE, identity: 'of somebody else' })],
])('that is cancelled leaves a new table that %s', async (_what, meanwhile) => {
  work.description = MADE;
  const info = await cancelledWhileReading(meanwhile);
  expect([info.state, info.newTable, isCreated]).toEqual(['cancelled', undefined, true]);
});

it('that is cancelled says that its new table is empty where the driver removes none', async () => {
  work.description = MADE;
  const { discard: _discard, ...tables } = facet.tables ?? { propose: async () => '' };
  work.session.import = { ...facet, tables } as ImportFacet;
  expect(await cancelledWhileReading()).toMatchObject({ state: 'cancelled', newTable: 'empty' });
});

it('never removes a table that was there before', async () => {
  work.description = MADE;
  let reads = 0;
  beforeRead = (index) => {
    if (index === 0) reads += 1;
    if (reads === 2) throw new DriverError('CONNECTION_LOST', 'The source is gone.');
  };
  isCreated = true;
  const { id } = await start();
  await stopped(id);
  const info = await imports.cancel(id);
  expect([info.state, info.newTable, isCreated]).toEqual(['cancelled', undefined, true]);
});

it('is not resumed while it is being cancelled: its table is removed then', async () => {
  work.description = MADE;
  let reads = 0;
  beforeRead = (index) => {
    if (index === 0) reads += 1;
    if (reads === 2) throw new DriverError('CONNECTION_LOST', 'The source is gone.');
  };
  const { id } = await start(asNew);
  expect(await stopped(id)).toMatchObject({ state: 'interrupted', newTable: 'empty' });
  const cancelled = imports.cancel(id);
  await expect(imports.resume({ id }, never)).rejects.toThrow('This import is being cancelled.');
  expect(await cancelled).toMatchObject({ state: 'cancelled', newTable: 'removed' });
  expect([isCreated, stored.size]).toEqual([false, 0]);
});

it('that fails before a row was written keeps its new table to be resumed, says that it is empty, and removes it when it is cancelled', async () => {
  work.description = MADE;
  let reads = 0;
  beforeRead = (index) => {
    if (index === 0) reads += 1;
    if (reads >= 2) throw new DriverError('CONNECTION_LOST', 'The source is gone.');
  };
  const { id } = await start(asNew);
  expect(await stopped(id)).toMatchObject({ state: 'interrupted', newTable: 'empty' });
  expect(isCreated).toBe(true);
  // Also in the next host.
  await imports[Symbol.asyncDispose]();
  imports = newImports();
  await imports.restore();
  expect(imports.list()).toMatchObject([{ state: 'interrupted', newTable: 'empty' }]);
  expect(await imports.cancel(id)).toMatchObject({ state: 'cancelled', newTable: 'removed' });
  expect(isCreated).toBe(false);
});

it('leaves no table where it could not begin', async () => {
  work.description = MADE;
  await expect(start({ ...asNew, mode: 'none' })).rejects.toThrow(/no mode/);
  expect(isCreated).toBe(false);
});

it('says where the count of the source is another one than its rows, and copies them', async () => {
  let reads = 0;
  work.session.export = {
    splice: async () => undefined,
    judge: () => undefined,
    async *rows() {
      reads += 1;
      yield* exported();
      if (reads === 2) throw new DriverError('ROWS_DIFFER', 'Rows were added.', { details: { rows: { got: 3, counted: 4 } } });
    },
  };
  const { id } = await start();
  expect(await stopped(id)).toMatchObject({ state: 'done', written: 3, rowsDiffer: { got: 3, counted: 4 } });
});

it('of a table without rows says so', async () => {
  source = [];
  await expect(start()).rejects.toThrow(/no rows/);
});
