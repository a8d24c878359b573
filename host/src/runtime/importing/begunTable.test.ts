import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportFacet } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportInfo } from '../../common/imports.ts';
import { startImportSchema } from '../../common/imports.ts';
import { silentLogger } from '../storage/logger.ts';
import { BOOKS, BOOKS_DESCRIPTION, FakeWork, never } from '../work.test-helper.ts';
import { ImportJournal } from './importJournal.ts';
import { Imports } from './imports.ts';
import { Uploads } from './uploads.ts';

const COUNT = 25_000;
/** Rows of one part, which are written before the next one is sent. */
const PART = 20_000;

let folder: string;
let work: FakeWork;
let imports: Imports;
let stored: Set<string>;
let beforeRow: (row: string) => void = () => undefined;

const facet: ImportFacet = {
  form: async () => ({
    modes: [
      { id: 'create', label: 'Create', help: 'Adds.', effect: 'write', repeated: 'reported', text: 'create' },
      { id: 'upsert', label: 'Upsert', help: 'Replaces.', effect: 'destructive', repeated: 'same', text: 'upsert' },
    ],
    language: 'text',
    key: ['id'],
  }),
  check: async () => [],
  splice: async () => undefined,
  judge: () => [],
  async *write({ mode }, rows) {
    for (const row of rows) {
      beforeRow(row);
      const isThere = mode === 'create' && stored.has(row);
      stored.add(row);
      yield isThere ? { outcome: 'rejected', message: 'It is there.', present: true } : { outcome: 'written' };
    }
  },
};

/** The table of that name from now on. */
function makeTable(identity: string | undefined, rows: readonly string[] = []): void {
  work.description = identity === undefined ? BOOKS_DESCRIPTION : { ...BOOKS_DESCRIPTION, identity };
  stored = new Set(rows);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-import-'));
  await mkdir(join(folder, 'home'));
  work = new FakeWork();
  work.session.import = facet;
  work.session.countRows = async () => ({ rows: stored.size, exact: true });
  beforeRow = () => undefined;
  imports = newImports();
});
afterEach(async () => {
  await imports[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function newImports(): Imports {
  const uploads = new Uploads(join(folder, 'home'));
  const journal = new ImportJournal(work.database.connection, silentLogger);
  return new Imports(work.sessions, journal, uploads, () => undefined, silentLogger, join(folder, 'home'));
}

async function ended(id: string): Promise<ImportInfo> {
  let last: ImportInfo | undefined;
  for await (const info of imports.follow(id, never)) last = info;
  if (last === undefined) throw new Error('The import is gone.');
  return last;
}

async function start(mode: string): Promise<ImportInfo> {
  const path = join(folder, 'rows.jsonl');
  await writeFile(path, Array.from({ length: COUNT }, (_, index) => `{"id":"r${index}"}`).join('\n'));
  const source = { is: 'file', path };
  const request = { connectionId: work.connectionId, table: BOOKS, source, mode };
  return ended((await imports.start(startImportSchema.parse(request), never)).id);
}

/** Interrupts an import in its first part: no row has an outcome. */
async function cutAtOnce(mode: string): Promise<ImportInfo> {
  beforeRow = () => {
    throw new DriverError('CONNECTION_LOST', 'The server is gone.');
  };
  const info = await start(mode);
  beforeRow = () => undefined;
  expect(info).toMatchObject({ state: 'interrupted', written: 0, uncertain: PART });
  return info;
}

/** Interrupts an import behind its first part. */
async function cut(mode: string): Promise<ImportInfo> {
  beforeRow = (row) => {
    if (row === `{"id":"r${PART}"}`) throw new DriverError('CONNECTION_LOST', 'The server is gone.');
  };
  const info = await start(mode);
  beforeRow = () => undefined;
  expect(info).toMatchObject({ state: 'interrupted', written: PART });
  return info;
}

describe.each(['create', 'upsert'])('an import in the mode %s whose table was deleted and made again', (mode) => {
  it.each([
    ['the driver says so', 'first', 'second'],
    ['it has no row', undefined, undefined],
  ])('is not resumed where %s, unless a person continues without the rows', async (_why, before, after) => {
    makeTable(before);
    const { id } = await cut(mode);
    makeTable(after);
    await expect(imports.resume({ id }, never)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { advice: expect.stringContaining('start it again') as string },
    });
    expect(stored.size).toBe(0);
    const marked = imports.list()[0];
    expect(marked?.state).toBe('interrupted');
    expect(marked).toMatchObject(
      after === undefined ? { missing: mode === 'create' ? PART : 1 } : { otherTable: { began: 'first', now: 'second' } },
    );
    await imports.resume({ id, otherTable: true }, never);
    const done = await ended(id);
    expect(done).toMatchObject({ state: 'done', read: COUNT });
    expect(stored.size).toBe(COUNT - PART);
    // The end says what is missing, too.
    if (after !== undefined) expect(done.otherTable).toEqual({ began: 'first', now: 'second' });
    else if (mode === 'create') expect(done.missing).toBe(PART);
  });

  it('is not resumed either where nothing says that a row was written', async () => {
    makeTable('first');
    const { id } = await cutAtOnce(mode);
    makeTable('second');
    await imports[Symbol.asyncDispose]();
    imports = newImports();
    await imports.restore();
    await expect(imports.resume({ id }, never)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`Up to ${PART} rows may have been written`) as string,
    });
    expect(stored.size).toBe(0);
    expect(imports.list()[0]).toMatchObject({ state: 'interrupted', otherTable: { began: 'first', now: 'second' } });
    await imports.resume({ id, otherTable: true }, never);
    expect(await ended(id)).toMatchObject({ state: 'done', written: COUNT, otherTable: { began: 'first', now: 'second' } });
  });

  it('says so at the end where that happens while it runs', async () => {
    makeTable('first');
    beforeRow = (row) => {
      if (row === `{"id":"r${PART}"}`) makeTable('second');
    };
    expect(await start(mode)).toMatchObject({ state: 'done', otherTable: { began: 'first', now: 'second' } });
  });
});

describe('an import whose table is the same', () => {
  it.each(['create', 'upsert'])('is resumed in the mode %s, also by the next host, and reports nothing', async (mode) => {
    makeTable('first');
    const { id } = await cut(mode);
    await imports[Symbol.asyncDispose]();
    imports = newImports();
    await imports.restore();
    await imports.resume({ id }, never);
    const done = await ended(id);
    expect(done).toMatchObject({ state: 'done', written: COUNT });
    expect(done).not.toHaveProperty('otherTable');
    expect(done).not.toHaveProperty('missing');
  });

  it('is resumed where its rows cannot be counted', async () => {
    makeTable(undefined);
    work.session.countRows = async () => Promise.reject(new DriverError('ACCESS_REFUSED'));
    const { id } = await cut('create');
    await imports.resume({ id }, never);
    expect(await ended(id)).toMatchObject({ state: 'done', written: COUNT });
  });
});
