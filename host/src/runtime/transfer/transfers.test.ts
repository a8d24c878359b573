import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportFacet, ExportRequest, SpliceSummary } from '@tabularium/sdk';
import { DriverError, NO_FILTER } from '@tabularium/sdk';
import type { z } from 'zod';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startExportSchema } from '../../common/transfer.ts';
import type { TransferInfo } from '../../common/transfer.ts';
import { silentLogger } from '../storage/logger.ts';
import { BOOKS, FakeWork, never } from '../work.test-helper.ts';
import { folderOpener } from './openFolder.ts';
import { Transfers } from './transfers.ts';

let folder: string;
let work: FakeWork;
let transfers: Transfers;
const asked: ExportRequest[] = [];
const judged: SpliceSummary[] = [];

const columns = [
  { name: 'id', kind: 'text' as const },
  { name: 'n', kind: 'integer' as const },
];

function facet(more: Partial<ExportFacet>): ExportFacet {
  return {
    splice: async () => undefined,
    judge: (_splice, summary) => void judged.push(summary),
    async *rows(request) {
      asked.push(request);
      yield { type: 'begin', columns, expected: { rows: 2, exact: true } };
      yield { type: 'rows', rows: [['1', '9007199254740993']] };
      yield { type: 'rows', rows: [['2', null]] };
    },
    ...more,
  };
}

/** A server whose answer to the spliced request is these chunks. */
function serve(
  chunks: readonly string[],
  status = 200,
  onChunk: (index: number) => void | Promise<void> = () => undefined,
): void {
  work.session.http = {
    request: async () => ({
      status,
      headers: {},
      node: 0,
      body: (async function* () {
        for (const [index, chunk] of chunks.entries()) {
          await onChunk(index);
          yield new TextEncoder().encode(chunk);
        }
      })(),
    }),
  };
}
const spliced = {
  splice: async () => ({ request: { method: 'GET' as const, path: '/all' }, expected: { rows: 3, exact: true } }),
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-export-'));
  work = new FakeWork();
  work.session.export = facet({});
  transfers = new Transfers(work.sessions, silentLogger);
  asked.length = 0;
  judged.length = 0;
});
afterEach(async () => {
  await transfers[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const request = (more: Partial<z.input<typeof startExportSchema>> = {}) =>
  startExportSchema.parse({ connectionId: work.connectionId, table: BOOKS, format: 'jsonl', file: join(folder, 'out'), ...more });

async function run(more: Parameters<typeof request>[0] = {}): Promise<TransferInfo> {
  const { id } = await transfers.start(request(more));
  return transfers.outcome(id);
}
const content = (name = 'out'): Promise<string> => readFile(join(folder, name), 'utf8');

describe('an export', () => {
  it('by splicing has the bytes that came, every line ended, and is judged by its lines', async () => {
    work.session.export = facet(spliced);
    serve(['{"a":1}\n{"a"', ':2}\n', '{"a":9007199254740993}']);
    const info = await run();
    expect(info).toMatchObject({ state: 'done', rows: 3, expected: { rows: 3, exact: true }, bytes: 39 });
    expect(await content()).toBe('{"a":1}\n{"a":2}\n{"a":9007199254740993}\n');
    expect(judged).toEqual([{ status: 200, lines: 3, lastLine: '{"a":9007199254740993}' }]);
    expect(await readdir(folder)).toEqual(['out']);
  });

  it('reports a stalled transfer: its speed falls to zero while it waits', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const gate = Promise.withResolvers<void>();
    try {
      work.session.export = facet(spliced);
      serve(['{"a":1}\n'.repeat(50_000), '{"a":2}\n'.repeat(50_000), '{"a":3}\n'], 200, (index) => {
        if (index === 2) return gate.promise;
        vi.advanceTimersByTime(500);
        return undefined;
      });
      const { id } = await transfers.start(request());
      const speed = (): number => transfers.list().find((transfer) => transfer.id === id)?.bytesPerSecond ?? -1;
      await vi.waitFor(() => expect(speed()).toBeGreaterThan(100_000), { timeout: 120_000 });
      vi.advanceTimersByTime(2_000);
      const sinking = speed();
      expect(sinking).toBeGreaterThan(0);
      vi.advanceTimersByTime(4_000);
      expect(speed()).toBe(0);
      gate.resolve();
      expect(await transfers.outcome(id)).toMatchObject({ state: 'done', rows: 100_001 });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      gate.resolve();
      vi.useRealTimers();
    }
  });

  it('says that it waits while four others of its connection read', async () => {
    const gate = Promise.withResolvers<void>();
    work.session.export = facet({
      async *rows() {
        await gate.promise;
        yield { type: 'begin', columns };
      },
    });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push((await transfers.start(request({ file: join(folder, name) }))).id);
    const waiting = () => transfers.list().flatMap(({ id, isWaiting }) => (isWaiting === true ? [id] : []));
    await vi.waitFor(() => expect(waiting()).toEqual(ids.slice(4)));
    gate.resolve();
    for (const id of ids) expect(await transfers.outcome(id)).toMatchObject({ state: 'done' });
    expect(waiting()).toEqual([]);
  });

  it('as one JSON array has the same documents', async () => {
    work.session.export = facet(spliced);
    serve(['{"a":1}\n{"a"', ':2}\n', '{"a":3}\n']);
    await run({ format: 'json' });
    expect(await content()).toBe('[\n{"a":1},\n{"a":2},\n{"a":3}\n]\n');
  });

  it('by rows has the filter and the columns that were chosen', async () => {
    const filter = { ...NO_FILTER, raw: 'n:>1' };
    expect(await run({ filter, columns: ['n', 'id'] })).toMatchObject({ state: 'done', rows: 2, bytes: 52 });
    expect(await content()).toBe('{"id":"1","n":9007199254740993}\n{"id":"2","n":null}\n');
    expect(asked).toEqual([{ table: BOOKS, filter, columns: ['n', 'id'] }]);
    // Spreadsheet columns come from rows, also where splicing is possible.
    work.session.export = facet(spliced);
    await work.sessions.close(work.connectionId);
    await run({ format: 'csv', file: join(folder, 'c') });
    expect(await content('c')).toBe('id,n\r\n1,9007199254740993\r\n2,\r\n');
  });

  it('writes rows that the window holds', async () => {
    const { id } = await transfers.startRows({
      connectionId: work.connectionId,
      table: BOOKS,
      columns,
      rows: [['1', 2]],
      format: 'json',
      file: join(folder, 'out'),
      overwrite: false,
      csv: { header: true, guardFormulas: false },
    });
    expect(await transfers.outcome(id)).toMatchObject({ rows: 1, expected: { rows: 1, exact: true } });
    expect(JSON.parse(await content())).toEqual([{ id: '1', n: 2 }]);
  });

  it.each([
    [
      'a stream that was cut',
      () => {
        work.session.export = facet({
          ...spliced,
          judge: () => {
            throw new DriverError('CONNECTION_LOST', 'Two of three came.');
          },
        });
        serve(['{"a":1}\n']);
      },
      'CONNECTION_LOST',
    ],
    [
      'a refusal that the driver does not mind',
      () => {
        work.session.export = facet(spliced);
        serve(['{"message":"no"}'], 404);
      },
      'SERVER_ERROR',
    ],
    [
      'an error among the rows',
      () => {
        work.session.export = facet({
          async *rows() {
            yield { type: 'begin', columns };
            throw new DriverError('SERVER_ERROR', 'The server stopped.');
          },
        });
      },
      'SERVER_ERROR',
    ],
    [
      'rows before columns',
      () =>
        (work.session.export = facet({
          rows: async function* () {
            yield { type: 'rows', rows: [] };
          },
        })),
      'DRIVER_FAULT',
    ],
    ['no word at all', () => (work.session.export = facet({ rows: async function* () {} })), 'DRIVER_FAULT'],
    ['a driver that exports nothing', () => (work.session.export = undefined), 'UNSUPPORTED'],
  ])('leaves no file behind after %s, and says so', async (_what, prepare, code) => {
    prepare();
    const { id } = await transfers.start(request());
    await expect(transfers.outcome(id)).rejects.toMatchObject({ code });
    expect(transfers.list()[0]).toMatchObject({ state: 'failed', error: { code } });
    expect(transfers.list()[0]?.error?.message).toContain('The unfinished file was removed.');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is cancelled in the middle, by id, and its file is gone', async () => {
    work.session.export = facet(spliced);
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    serve(['{"a":1}\n', '{"a":2}\n'], 200, async (index) => {
      if (index === 0) return;
      reached.resolve();
      await goOn.promise;
    });
    const { id } = await transfers.start(request());
    await reached.promise;
    expect(await readdir(folder)).toEqual(['out.part']);
    const cancelling = transfers.cancel(id);
    goOn.resolve();
    expect(await cancelling).toMatchObject({ state: 'cancelled', error: { code: 'CANCELLED' } });
    expect(await readdir(folder)).toEqual([]);
    expect(await transfers.cancel(id)).toMatchObject({ state: 'cancelled' });
    transfers.clear(id);
    expect(transfers.list()).toEqual([]);
  });

  it('asks the server for no more than it has written: one part at a time', async () => {
    work.session.export = facet(spliced);
    const chunk = `${'x'.repeat(64 * 1024 - 1)}\n`;
    const sizes: number[] = [];
    serve(
      Array.from({ length: 8 }, () => chunk),
      200,
      async (index) => {
        sizes.push((await stat(join(folder, 'out.part'))).size - index * chunk.length);
      },
    );
    await run();
    expect(sizes).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('notifies followers of its outcome', async () => {
    const { id } = await transfers.start(request());
    const states: string[] = [];
    for await (const info of transfers.follow(id, never)) states.push(info.state);
    expect(states.at(-1)).toBe('done');
  });
});

describe('the folder of a file', () => {
  it('is shown once the export has made the file, and not before', async () => {
    const shown: string[] = [];
    await transfers[Symbol.asyncDispose]();
    transfers = new Transfers(work.sessions, silentLogger, async (file) => void shown.push(file));
    const { id } = await run();
    await transfers.reveal(id);
    expect(shown).toEqual([join(folder, 'out')]);
    work.session.export = facet({
      rows: () => {
        throw new DriverError('SERVER_ERROR', 'Broken.');
      },
    });
    await work.sessions.close(work.connectionId);
    const failed = await transfers.start(request({ file: join(folder, 'other') }));
    await transfers.outcome(failed.id).catch(() => undefined);
    await expect(transfers.reveal(failed.id)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(shown).toHaveLength(1);
  });

  it('is named where there is no program that shows it', async () => {
    await transfers[Symbol.asyncDispose]();
    transfers = new Transfers(work.sessions, silentLogger, () => Promise.reject(new Error('spawn xdg-open ENOENT')));
    const { id } = await run();
    await expect(transfers.reveal(id)).rejects.toThrow(join(folder, 'out'));
  });

  it.each([
    ['linux', 'xdg-open', ['/home/ada']],
    ['darwin', 'open', ['-R', '/home/ada/a b.csv']],
    ['win32', 'explorer.exe', ['/select,/home/ada/a b.csv']],
  ] as const)('is shown on %s by %s', (platform, command, args) => {
    expect(folderOpener('/home/ada/a b.csv', platform)).toEqual({ command, args });
  });
});

describe('a file that exists', () => {
  it('is replaced only where that was agreed to', async () => {
    await writeFile(join(folder, 'out'), 'mine');
    await expect(run()).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(await content()).toBe('mine');
    await run({ overwrite: true });
    expect(await content()).toContain('9007199254740993');
  });

  it('is not replaced either when it appears meanwhile', async () => {
    work.session.export = facet(spliced);
    serve(['{}\n', '{}\n'], 200, () => writeFile(join(folder, 'out'), 'mine'));
    await expect(run()).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(await content()).toBe('mine');
    expect(await readdir(folder)).toEqual(['out']);
  });

  it('under the name of the unfinished file is left alone, also where replacing the file itself was agreed to', async () => {
    await writeFile(join(folder, 'out.part'), 'mine');
    await expect(run()).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(await content('out.part')).toBe('mine');
    await writeFile(join(folder, 'out'), 'before');
    await expect(run({ overwrite: true })).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect([await content('out.part'), await content()]).toEqual(['mine', 'before']);
  });

  it('is not written by two exports at once', async () => {
    work.session.export = facet(spliced);
    const goOn = Promise.withResolvers<void>();
    serve(['{}\n'], 200, () => goOn.promise);
    const first = await transfers.start(request({ overwrite: true }));
    await expect(transfers.start(request({ overwrite: true }))).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    goOn.resolve();
    await transfers.outcome(first.id);
  });
});

it.each([
  ['a folder that is not there', () => join(folder, 'no', 'out'), 'FILE_UNWRITABLE'],
  ['a folder', () => join(folder, 'sub'), 'FILE_UNWRITABLE'],
  ['a relative path', () => 'out', 'INVALID_REQUEST'],
])('refuses %s before anything is asked', async (_what, file, code) => {
  await mkdir(join(folder, 'sub'));
  await expect(transfers.start(request({ file: file(), overwrite: true }))).rejects.toMatchObject({ code });
  expect(transfers.list()).toEqual([]);
});
