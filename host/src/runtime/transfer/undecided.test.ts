import { mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportFacet } from '@tabularium/sdk';
import { DriverError, NO_FILTER } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { startExportSchema } from '../../common/transfer.ts';
import type { TransferInfo } from '../../common/transfer.ts';
import { Database } from '../storage/database.ts';
import { silentLogger } from '../storage/logger.ts';
import { dataDirectoryMigration } from '../storage/migrations/dataDirectory.ts';
import { undecidedFilesMigration } from '../storage/migrations/undecidedFiles.ts';
import { BOOKS, FakeWork } from '../work.test-helper.ts';
import { Transfers } from './transfers.ts';
import { UndecidedFiles } from './undecidedFiles.ts';
import { UnfinishedFiles } from './unfinishedFiles.ts';

// A database that sends two rows and counts three.

let folder: string;
let database: Database;
let work: FakeWork;
let transfers: Transfers;

const columns = [
  { name: 'id', kind: 'text' as const },
  { name: 'n', kind: 'integer' as const },
];
const differ = (got = 2, counted = 3): DriverError =>
  new DriverError('ROWS_DIFFER', 'The server exported 2 rows, and counts 3.', { details: { rows: { got, counted } } });

function facet(error: Error = differ()): ExportFacet {
  return {
    splice: async () => undefined,
    judge: () => undefined,
    async *rows() {
      yield { type: 'begin', columns };
      yield {
        type: 'rows',
        rows: [
          ['1', 1],
          ['2', null],
        ],
      };
      throw error;
    },
  };
}

/** The exports of a host as it starts. */
async function startHost(): Promise<Transfers> {
  const { connection } = database;
  const unfinished = new UnfinishedFiles(connection, silentLogger, join(folder, 'home'));
  const started = new Transfers(
    work.sessions,
    silentLogger,
    async () => undefined,
    unfinished,
    new UndecidedFiles(connection, silentLogger),
  );
  await unfinished.sweep();
  await started.restore();
  return started;
}

/** A process that is killed leaves its files and its records, and the next one starts. */
async function killed(): Promise<void> {
  transfers = await startHost();
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-undecided-'));
  database = new Database(':memory:', [dataDirectoryMigration, undecidedFilesMigration]);
  work = new FakeWork();
  work.session.export = facet();
  transfers = await startHost();
});
afterEach(async () => {
  await transfers[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
  database[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

const file = (): string => join(folder, 'out');
const request = (more: Partial<z.input<typeof startExportSchema>> = {}) =>
  startExportSchema.parse({
    connectionId: work.connectionId,
    table: BOOKS,
    format: 'jsonl',
    whenRowsDiffer: 'ask',
    file: file(),
    ...more,
  });
const infoOf = (id: string): TransferInfo => {
  const info = transfers.list().find((one) => one.id === id);
  if (info === undefined) throw new Error(`There is no transfer ${id}.`);
  return info;
};

async function undecided(more: Parameters<typeof request>[0] = {}, asked?: 'window' | 'command'): Promise<string> {
  const { id } = await transfers.start(request(more), asked);
  await expect.poll(() => infoOf(id).state).toBe('undecided');
  return id;
}
const recorded = (table: string): number => database.connection.prepare(`SELECT path FROM ${table}`).all().length;

const WHOLE = {
  jsonl: '{"id":"1","n":1}\n{"id":"2","n":null}\n',
  json: '[\n{"id":"1","n":1},\n{"id":"2","n":null}\n]\n',
  csv: 'id,n\r\n1,1\r\n2,\r\n',
} as const;

describe('an export whose rows differ', () => {
  it.each(['jsonl', 'json', 'csv'] as const)(
    'as %s has the end of its format, and waits under its .part name',
    async (format) => {
      const id = await undecided({ format });
      expect(await readdir(folder)).toEqual(['out.part']);
      expect(infoOf(id)).toMatchObject({ asked: 'window', rowsDiffer: { got: 2, counted: 3 } });
      expect(await transfers.decide(id, 'keep')).toMatchObject({ state: 'done', rowsDiffer: { got: 2, counted: 3 } });
      expect(await readdir(folder)).toEqual(['out']);
      expect(await readFile(file(), 'utf8')).toBe(WHOLE[format]);
      expect(await transfers.outcome(id)).not.toHaveProperty('asked');
      expect([recorded('undecided_files'), recorded('unfinished_files')]).toEqual([0, 0]);
    },
  );

  it.each(['jsonl', 'json'] as const)('as spliced %s waits as well', async (format) => {
    work.session.export = {
      ...facet(),
      splice: async () => ({ request: { method: 'GET', path: '/all' }, expected: { rows: 3, exact: true } }),
      judge: () => {
        throw differ();
      },
    };
    work.session.http = {
      request: async () => ({
        status: 200,
        headers: {},
        node: 0,
        body: (async function* () {
          yield new TextEncoder().encode('{"id":"1","n":1}\n{"id":"2","n":null}');
        })(),
      }),
    };
    await transfers.decide(await undecided({ format }), 'keep');
    expect(await readFile(file(), 'utf8')).toBe(WHOLE[format]);
  });

  it('of a filter and chosen columns waits as well', async () => {
    const id = await undecided({ filter: { ...NO_FILTER, raw: 'n:>0' }, columns: ['id', 'n'] });
    expect(await transfers.decide(id, 'keep')).toMatchObject({ state: 'done' });
  });

  it('is deleted by decision, with its error as the outcome', async () => {
    const id = await undecided();
    expect(await transfers.decide(id, 'delete')).toMatchObject({ state: 'failed', error: { code: 'ROWS_DIFFER' } });
    await expect(transfers.outcome(id)).rejects.toThrow('The server exported 2 rows, and counts 3. The file was deleted.');
    expect(await readdir(folder)).toEqual([]);
    expect([recorded('undecided_files'), recorded('unfinished_files')]).toEqual([0, 0]);
  });

  it('is decided once, also by two windows at once', async () => {
    const id = await undecided();
    const [first, second] = await Promise.allSettled([transfers.decide(id, 'keep'), transfers.decide(id, 'delete')]);
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
    expect(await readdir(folder)).toEqual(['out']);
    await expect(transfers.decide(id, 'delete')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it.each([
    ['fail', [], 'ROWS_DIFFER'],
    ['keep', ['out'], undefined],
  ] as const)('%s: the person is not asked', async (whenRowsDiffer, files, code) => {
    const { id } = await transfers.start(request({ whenRowsDiffer }));
    const outcome = await transfers.outcome(id).catch((error: unknown) => error);
    expect(outcome).toMatchObject(code === undefined ? { state: 'done', rowsDiffer: { got: 2, counted: 3 } } : { code });
    expect(await readdir(folder)).toEqual(files);
  });

  it.each([
    ['numbers that are not those of the rows that came', differ(3, 2)],
    ['no numbers', new DriverError('ROWS_DIFFER')],
    ['another error with numbers', new DriverError('CONNECTION_LOST', 'Cut.', { details: { rows: { got: 2, counted: 3 } } })],
  ])('fails without a question after %s', async (_what, error) => {
    work.session.export = facet(error);
    const { id } = await transfers.start(request());
    await expect(transfers.outcome(id)).rejects.toMatchObject({ code: error.code });
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays on the list, and its name is taken, until it is decided about', async () => {
    const id = await undecided();
    expect(() => transfers.clear(id)).toThrow('Decide first');
    expect(await transfers.cancel(id)).toMatchObject({ state: 'undecided' });
    await expect(transfers.start(request())).rejects.toThrow('awaits your decision');
    await expect(transfers.start(request({ overwrite: true }))).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    await transfers.decide(id, 'delete');
    await undecided();
  });

  it('that was cancelled while its last rows came is gone', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    work.session.export = {
      ...facet(),
      async *rows() {
        yield { type: 'begin', columns };
        reached.resolve();
        await goOn.promise;
        yield {
          type: 'rows',
          rows: [
            ['1', 1],
            ['2', 2],
          ],
        };
        throw differ();
      },
    };
    const { id } = await transfers.start(request());
    await reached.promise;
    const cancelling = transfers.cancel(id);
    goOn.resolve();
    expect(await cancelling).toMatchObject({ state: 'cancelled' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the file of an undecided export', () => {
  it('that has got its name taken meanwhile stays, and can be kept once the name is free', async () => {
    const id = await undecided();
    await writeFile(file(), 'mine');
    await expect(transfers.decide(id, 'keep')).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(infoOf(id).state).toBe('undecided');
    expect(await readFile(file(), 'utf8')).toBe('mine');
    await rm(file());
    await transfers.decide(id, 'keep');
    expect(await readFile(file(), 'utf8')).toBe(WHOLE.jsonl);
  });

  it('replaces the file of its name where that was agreed to, and only by the decision', async () => {
    await writeFile(file(), 'before');
    const id = await undecided({ overwrite: true });
    expect(await readFile(file(), 'utf8')).toBe('before');
    await transfers.decide(id, 'keep');
    expect(await readFile(file(), 'utf8')).toBe(WHOLE.jsonl);
  });

  it.each([
    ['keep', 'changed'],
    ['delete', 'changed'],
    ['keep', 'replaced'],
    ['delete', 'replaced'],
  ] as const)('is left alone by "%s" when another program has %s it', async (decision, how) => {
    const id = await undecided();
    const part = `${file()}.part`;
    if (how === 'changed') await writeFile(part, 'theirs', { flag: 'a' });
    else {
      await writeFile(join(folder, 'other'), WHOLE.jsonl);
      await rename(join(folder, 'other'), part);
    }
    // Not the code of the export itself: with that, the window says that the file was deleted.
    expect(await transfers.decide(id, decision)).toMatchObject({ state: 'failed', error: { code: 'INVALID_REQUEST' } });
    expect(infoOf(id).error?.message).toContain('changed by another program');
    expect(await readdir(folder)).toEqual(['out.part']);
    // No later start takes it for ours either.
    await killed();
    expect(await readdir(folder)).toEqual(['out.part']);
  });

  it('that another program deleted ends the question', async () => {
    const id = await undecided();
    await rm(`${file()}.part`);
    expect(await transfers.decide(id, 'keep')).toMatchObject({ state: 'failed', error: { code: 'INVALID_REQUEST' } });
    expect(recorded('undecided_files')).toBe(0);
  });
});

describe('a host that ends while an export is undecided', () => {
  it.each([
    ['stops', async () => transfers[Symbol.asyncDispose]()],
    ['is killed', async () => undefined],
  ])('%s: the next one asks again', async (_how, end) => {
    const id = await undecided({ format: 'json' });
    await end();
    await killed();
    expect(await readdir(folder)).toEqual(['out.part']);
    expect(infoOf(id)).toMatchObject({ state: 'undecided', asked: 'window', rowsDiffer: { got: 2, counted: 3 }, rows: 2 });
    await transfers.decide(id, 'keep');
    expect(await readFile(file(), 'utf8')).toBe(WHOLE.json);
    await killed();
    expect(transfers.list()).toEqual([]);
  });

  it('deletes the file that a command was to be asked about', async () => {
    await undecided({}, 'command');
    await transfers[Symbol.asyncDispose]();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is killed: the next one deletes the file that a command was to be asked about', async () => {
    await undecided({}, 'command');
    await killed();
    expect(await readdir(folder)).toEqual([]);
    expect(transfers.list()).toEqual([]);
  });

  it.each([
    ['gone', async () => rm(`${file()}.part`), [], 'was deleted or moved'],
    ['changed', async () => writeFile(`${file()}.part`, 'theirs'), ['out.part'], 'changed by another program'],
  ] as const)('the next one says that the file is %s', async (_how, change, files, message) => {
    const id = await undecided();
    await change();
    await killed();
    expect(infoOf(id)).toMatchObject({ state: 'failed', rowsDiffer: { got: 2, counted: 3 } });
    expect(infoOf(id).error?.message).toContain(message);
    expect(await readdir(folder)).toEqual(files);
    await killed();
    expect(transfers.list()).toEqual([]);
  });

  it('is killed after the file had its name: the next one lists it as kept', async () => {
    const id = await undecided();
    await rename(`${file()}.part`, file());
    await killed();
    expect(infoOf(id)).toMatchObject({ state: 'done' });
    await expect(transfers.outcome(id)).resolves.toMatchObject({ state: 'done' });
  });

  it('could not record the question: the next one deletes the file', async () => {
    database.connection.exec('DROP TABLE undecided_files');
    const id = await undecided();
    database.connection.exec(undecidedFilesMigration.sql);
    await killed();
    expect(await readdir(folder)).toEqual([]);
    expect(transfers.list().find((one) => one.id === id)).toBeUndefined();
  });

  it('leaves an unreadable record: the next one starts', async () => {
    await undecided();
    database.connection.exec("UPDATE undecided_files SET record = '{}'");
    await killed();
    expect(transfers.list()).toEqual([]);
  });
});
