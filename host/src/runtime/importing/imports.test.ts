import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { ImportFacet, RowOutcome } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ImportInfo } from '../../common/imports.ts';
import { startImportSchema } from '../../common/imports.ts';
import { silentLogger } from '../storage/logger.ts';
import { BOOKS, FakeWork, never } from '../work.test-helper.ts';
import { ImportJournal } from './importJournal.ts';
import { Imports } from './imports.ts';
import { Uploads } from './uploads.ts';

let folder: string;
let work: FakeWork;
let imports: Imports;
let uploads: Uploads;
/** Documents of the server by their id; those without one get a number. */
const stored = new Map<string, string>();
/** Called before each row is written. */
let beforeRow: (row: string) => void | Promise<void> = () => undefined;

function outcomeOf(mode: string, row: string): RowOutcome {
  if (!row.startsWith('{')) return { outcome: 'rejected', message: 'Not an object.' };
  const { id, pages } = JSON.parse(row) as { id?: string; pages?: unknown };
  if (typeof pages === 'string') return { outcome: 'rejected', message: 'Pages are a number.', column: 'pages' };
  if (id !== undefined && stored.has(id) && mode === 'create')
    return { outcome: 'rejected', message: `There is a ${id} already.`, present: true };
  stored.set(id ?? `made ${stored.size}`, row);
  return { outcome: 'written' };
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
    rows.flatMap((row, index) => {
      if (row.includes('"nowhere":')) return [{ index, message: 'There is no column “nowhere”.', column: 'nowhere' }];
      return row.includes('"pages":"') ? [{ index, message: 'Pages are a number.', column: 'pages' }] : [];
    }),
  splice: async () => undefined,
  judge: () => [],
  async *write({ mode }, rows) {
    for (const row of rows) {
      await beforeRow(row);
      yield outcomeOf(mode, row);
    }
  },
};

function newImports(): Imports {
  uploads = new Uploads(join(folder, 'home'));
  const journal = new ImportJournal(work.database.connection, silentLogger);
  return new Imports(work.sessions, journal, uploads, () => undefined, silentLogger, join(folder, 'home'));
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-import-'));
  await mkdir(join(folder, 'home'));
  work = new FakeWork();
  work.session.import = facet;
  work.session.countRows = async () => ({ rows: stored.size, exact: true });
  stored.clear();
  beforeRow = () => undefined;
  imports = newImports();
});
afterEach(async () => {
  await imports[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function start(path: string, more: object = {}): Promise<ImportInfo> {
  const source = { is: 'file', path };
  return imports.start(startImportSchema.parse({ connectionId: work.connectionId, table: BOOKS, source, ...more }), never);
}

async function ended(id: string): Promise<ImportInfo> {
  let last: ImportInfo | undefined;
  for await (const info of imports.follow(id, never)) last = info;
  if (last === undefined) throw new Error('The import is gone.');
  return last;
}

describe('an import', () => {
  it('writes the rows of a file as they are, and keeps those that are rejected with their reasons', async () => {
    const path = await fileOf('books.jsonl', '{"id":"a","big":9007199254740993}\n{"id":"b","pages":"x"}\nnonsense\n{"id":"a"}\n');
    const info = await ended((await start(path)).id);
    expect(info).toMatchObject({ state: 'done', read: 4, written: 1, rejected: 3 });
    expect(stored.get('a')).toBe('{"id":"a","big":9007199254740993}');
    const file = info.rejectedFile ?? '';
    expect(await readFile(file, 'utf8')).toBe(
      [
        '{"line":2,"reason":"Pages are a number.","row":{"id":"b","pages":"x"}}',
        '{"line":3,"reason":"The row isn’t a JSON object.","row":"nonsense"}',
        '{"line":4,"reason":"There is a a already.","row":{"id":"a"}}',
        '',
      ].join('\n'),
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(info.reasons.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it.each([
    ['books.csv', 'id,nowhere,learnt\na,,1\nb,x,2\n', {}],
    ['books.csv', 'id,other\na,x\n', { mapping: [{ source: 'other', target: 'nowhere', type: 'text' }] }],
    ['books.jsonl', '{"id":"a","nowhere":null}\n{"id":"b","nowhere":1}\n', {}],
  ])('of %s doesn’t begin where the table lacks a column of all rows', async (name, content, more) => {
    const path = await fileOf(name, content);
    await expect(start(path, more)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: "The table has no column “nowhere”: rows with a value there can't be written.",
      details: { field: 'nowhere', advice: expect.stringContaining('--map nowhere=') as string },
    });
    expect([stored.size, imports.list()]).toEqual([0, []]);
  });

  it.each([
    ['books.csv', 'id,nowhere\na,x\n', { mapping: [{ source: 'nowhere', target: null }] }, 1],
    ['books.csv', 'id,nowhere\na,\n', {}, 1],
    ['books.csv', 'id,learnt\na,x\n', {}, 1],
    ['books.jsonl', '{"id":"a"}\n{"id":"b","nowhere":1}\n', {}, 2],
  ])('of %s begins where the database takes some rows', async (name, content, more, read) => {
    expect(await ended((await start(await fileOf(name, content), more)).id)).toMatchObject({ state: 'done', read });
    expect(stored.has('a')).toBe(true);
  });

  it('tries rejected rows again by the mapping of the first import', async () => {
    const path = await fileOf('books.csv', 'number,pages\nx,8\ny,many\n');
    const mapping = [{ source: 'number', target: 'id', type: 'text' }];
    const first = await ended((await start(path, { mapping })).id);
    expect(first).toMatchObject({ written: 1, rejected: 1 });
    expect(stored.get('x')).toBe('{"id":"x","pages":8}');
    const source = { is: 'rejected', id: first.id };
    const again = await imports.start(
      startImportSchema.parse({
        connectionId: work.connectionId,
        table: BOOKS,
        source,
        mapping: [...mapping, { source: 'pages', target: 'note', type: 'text' }],
      }),
      never,
    );
    expect(await ended(again.id)).toMatchObject({ written: 1, rejected: 0 });
    expect(stored.get('y')).toBe('{"id":"y","note":"many"}');
  });

  it('rejects a csv row with too few fields, as its preview says, and keeps it as a text that a person has to mend', async () => {
    const path = await fileOf('short.csv', 'id,title,pages\nx,Walden,8\ny,Emma\nz,,\n');
    const plan = await imports.preview(
      { connectionId: work.connectionId, table: BOOKS, source: { is: 'file', path }, create: false },
      never,
    );
    const message = 'The row has 2 fields, and there are 3 columns: “pages” is missing.';
    expect(plan.rows.map(({ problem }) => problem)).toEqual([undefined, { message, column: 'pages' }, undefined]);
    const info = await ended((await start(path)).id);
    expect(info).toMatchObject({ read: 3, written: 2, rejected: 1, reasons: [{ line: 3, message }] });
    const again = await start(path, { source: { is: 'rejected', id: info.id } });
    // Its values may be in the wrong columns: nothing of it is written because somebody tried it once more.
    expect(await ended(again.id)).toMatchObject({ written: 0, rejected: 1 });
    expect(stored.has('y')).toBe(false);
    expect(await readFile(info.rejectedFile ?? '', 'utf8')).toContain('"row":"y,Emma"');
  });

  it.each([
    ['\n', 'LF'],
    ['\r\n', 'CRLF'],
    ['\r', 'CR'],
  ])('names the line of a rejected csv row where lines end with %j', async (end) => {
    const path = await fileOf('ends.csv', ['id,title,pages', 'e1,A,1', 'e2,B', 'e3,C,3', ''].join(end));
    expect(await ended((await start(path)).id)).toMatchObject({ written: 2, rejected: 1, reasons: [{ line: 3 }] });
  });

  it('says which columns of a csv file have a name that an earlier one has', async () => {
    const twice = await fileOf('twice.csv', 'id,title,title, title\nt1,Emma,E.,e\n');
    expect(await ended((await start(twice)).id)).toMatchObject({ written: 1, renamed: ['title (2)', 'title (3)'] });
    expect(await ended((await start(await fileOf('once.csv', 'id,,\nt2,Emma,E.\n'))).id)).not.toHaveProperty('renamed');
  });

  it('reads gzip, lists and csv with a byte order mark, whatever their names', async () => {
    const rows = JSON.stringify([{ id: 'l1' }, { id: 'l2' }], undefined, 2);
    expect(await ended((await start(await fileOf('x.csv', gzipSync(rows)))).id)).toMatchObject({ state: 'done', written: 2 });
    const csv = await fileOf('x.json', '\uFEFFid;title\r\nc1;"Ä; 1"\r\n');
    expect(await ended((await start(csv)).id)).toMatchObject({ state: 'done', written: 1 });
    expect(stored.get('c1')).toBe('{"id":"c1","title":"Ä; 1"}');
  });

  it('keeps names of the prototype, formulas and NUL, and rejects bytes that are not UTF-8 with their line', async () => {
    const path = await fileOf(
      'odd.csv',
      Buffer.concat([Buffer.from('id,__proto__,constructor\np,=1+1,"a\u0000b"\nq,'), Buffer.from([0xff]), Buffer.from(',x\n')]),
    );
    const info = await ended((await start(path)).id);
    expect(info).toMatchObject({ read: 2, written: 1, rejected: 1, reasons: [{ line: 3 }] });
    expect(stored.get('p')).toBe('{"id":"p","__proto__":"=1+1","constructor":"a\\u0000b"}');
    // The letter is lost in the file of rejected rows: the row is not written without it.
    const again = await start(path, { source: { is: 'rejected', id: info.id } });
    expect(await ended(again.id)).toMatchObject({ written: 0, rejected: 1 });
  });

  it('gives texts of a csv row the types of the columns, also when the file of its rejection is imported as any other', async () => {
    const path = await fileOf('typed.csv', 'id,title,pages\nt1,Emma,5\n');
    stored.set('t1', '{"id":"t1"}');
    const info = await ended((await start(path)).id);
    expect(info).toMatchObject({ written: 0, rejected: 1 });
    stored.delete('t1');
    const again = await start(await fileOf('again.jsonl', await readFile(info.rejectedFile ?? '')));
    expect(await ended(again.id)).toMatchObject({ written: 1, rejected: 0 });
    expect(stored.get('t1')).toBe('{"id":"t1","title":"Emma","pages":5}');
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ['a folder', async () => folder, /is a folder/],
    ['a file that is not there', async () => join(folder, 'none'), /does not exist/],
    ['an empty file', () => fileOf('empty', ''), /is empty/],
    ['UTF-16', () => fileOf('wide', Buffer.from('\uFEFFid,a\n', 'utf16le')), /UTF-16/],
    ['text of another encoding', () => fileOf('latin', Buffer.from('id,gr\xf6\xdfe\n1,2\n', 'latin1')), /Line 1 .* isn't UTF-8/],
    ['a header with an open quotation mark', () => fileOf('head.csv', 'id,"title\n1,Emma\n'), /“column 2” has no end/],
    ['damaged gzip', () => fileOf('cut.gz', gzipSync('{"id":"a"}\n'.repeat(1_000)).subarray(0, 40)), /can't be decompressed/],
    ['a relative path', async () => 'books.jsonl', /not an absolute path/],
  ])('refuses %s', async (_name, path, message) => {
    await expect(path().then((one) => start(one))).rejects.toThrow(message);
  });

  it('refuses a named pipe without waiting for its writer', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    await expect(start(path)).rejects.toThrow(/not a file/);
  });

  it('reads nothing that the system makes up, also not by a link', async () => {
    if (process.platform !== 'linux') return;
    await symlink('/proc/self/environ', join(folder, 'environ.jsonl'));
    for (const path of [
      join(folder, 'environ.jsonl'),
      '/proc/self/environ',
      '/sys/kernel/mm/transparent_hugepage/enabled',
      '/proc/version',
    ])
      await expect(start(path), path).rejects.toThrow(/not a file of a disk|does not exist/);
    await expect(start('/dev/zero')).rejects.toThrow(/pipe or a device/);
  });

  it('reads no file of the data directory, also not by a link', async () => {
    await writeFile(join(folder, 'home', 'secret.jsonl'), '{"id":"s"}');
    await symlink(join(folder, 'home', 'secret.jsonl'), join(folder, 'link'));
    await expect(start(join(folder, 'home', 'secret.jsonl'))).rejects.toThrow(/data directory/);
    await expect(start(join(folder, 'link'))).rejects.toThrow(/data directory/);
  });

  it('stops at a gzip file that expands without end', async () => {
    const zeros = Buffer.concat([gzipSync('{"id":"a"}\n'), gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20))]);
    const info = await ended((await start(await fileOf('bomb.gz', zeros))).id);
    expect(info).toMatchObject({
      state: 'interrupted',
      error: { message: expect.stringMatching(/expands to more than/) as string },
    });
  });

  it('writes nothing in read-only mode', async () => {
    work.connections.update(work.connectionId, {
      ...work.connections.get(work.connectionId),
      access: { externalClients: 'readOnly', aiPolicy: 'askEachTime', readOnly: true },
    } as never);
    await expect(start(await fileOf('a.jsonl', '{"id":"a"}'))).rejects.toMatchObject({ code: 'CONNECTION_READ_ONLY' });
    expect(stored.size).toBe(0);
  });
});

describe('an import that is interrupted', () => {
  const rows = (count: number, withId = true): string =>
    Array.from({ length: count }, (_, index) => (withId ? `{"id":"r${index}","pages":${index}}` : `{"pages":${index}}`)).join(
      '\n',
    );

  /** Starts an import whose server is gone after some rows. */
  async function cut(path: string, after: number, more: object = {}): Promise<ImportInfo> {
    let seen = 0;
    beforeRow = () => {
      seen += 1;
      if (seen > after) throw new DriverError('CONNECTION_LOST', 'The server is gone.');
    };
    const info = await ended((await start(path, more)).id);
    beforeRow = () => undefined;
    return info;
  }

  it('continues where it was, and counts rows that were written before as written', async () => {
    const info = await cut(await fileOf('a.jsonl', rows(30)), 12);
    expect(info).toMatchObject({ state: 'interrupted', uncertain: 30, error: { code: 'CONNECTION_LOST' } });
    expect(stored.size).toBe(12);
    await imports.resume({ id: info.id }, never);
    expect(await ended(info.id)).toMatchObject({ state: 'done', read: 30, written: 30, rejected: 0 });
    expect(stored.size).toBe(30);
  });

  it('is found by the next host, which reports each rejected row once', async () => {
    const path = await fileOf('a.jsonl', `{"id":"bad","pages":"x"}\n${rows(30)}`);
    const info = await cut(path, 12);
    await imports[Symbol.asyncDispose]();
    imports = newImports();
    await imports.restore();
    expect(imports.list()).toMatchObject([{ id: info.id, state: 'interrupted' }]);
    await imports.resume({ id: info.id }, never);
    const done = await ended(info.id);
    expect(done).toMatchObject({ state: 'done', read: 31, written: 30, rejected: 1 });
    expect((await readFile(done.rejectedFile ?? '', 'utf8')).trimEnd().split('\n')).toHaveLength(1);
  });

  it('asks what to do with rows that have no key, and doubles or skips them as the person says', async () => {
    const info = await cut(await fileOf('a.jsonl', rows(30, false)), 12);
    await expect(imports.resume({ id: info.id }, never)).rejects.toThrow(/would be doubled/);
    await imports.resume({ id: info.id, uncertain: 'repeat' }, never);
    expect(await ended(info.id)).toMatchObject({ state: 'done', written: 30 });
    expect(stored.size).toBe(42);
    stored.clear();
    const other = await cut(await fileOf('b.jsonl', rows(30, false)), 12);
    await imports.resume({ id: other.id, uncertain: 'skip' }, never);
    expect(await ended(other.id)).toMatchObject({ state: 'done', read: 30, written: 0, uncertain: 30 });
    expect(stored.size).toBe(12);
  });

  it('that skips rows in doubt and is cut again has in doubt what was sent since, and writes no row twice', async () => {
    // Two parts, and rows without a key.
    const path = await fileOf('a.jsonl', rows(30_000, false));
    const info = await cut(path, 12);
    expect(info).toMatchObject({ state: 'interrupted', uncertain: 20_000, read: 0 });
    const cutAgain = async (after: number): Promise<ImportInfo> => {
      let seen = 0;
      beforeRow = () => {
        seen += 1;
        if (seen > after) throw new DriverError('CONNECTION_LOST', 'The server is gone.');
      };
      await imports.resume({ id: info.id, uncertain: 'skip' }, never);
      const found = await ended(info.id);
      beforeRow = () => undefined;
      return found;
    };
    expect(await cutAgain(7)).toMatchObject({ state: 'interrupted', uncertain: 10_000, read: 20_000 });
    await expect(imports.resume({ id: info.id }, never)).rejects.toThrow('Up to 10000 rows after row 20000');
    await imports.resume({ id: info.id, uncertain: 'skip' }, never);
    expect(await ended(info.id)).toMatchObject({ state: 'done', read: 30_000, written: 0, uncertain: 30_000 });
    const values = [...stored.values()];
    expect(values).toHaveLength(19);
    expect(new Set(values).size).toBe(19);
  });

  it('does not continue on another server: its connection was changed, and can be changed back', async () => {
    const info = await cut(await fileOf('a.jsonl', rows(30)), 12);
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...connection } = work.connections.get(work.connectionId);
    work.connections.update(work.connectionId, { ...connection, settings: { host: 'other' } });
    await expect(imports.resume({ id: info.id }, never)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('“One”') as string,
      details: { advice: expect.stringContaining('change the connection back') as string },
    });
    expect(stored.size).toBe(12);
    work.connections.update(work.connectionId, { ...connection, name: 'Renamed' });
    await imports.resume({ id: info.id }, never);
    expect(await ended(info.id)).toMatchObject({ state: 'done', written: 30 });
  });

  it('stops between two parts when its connection is changed', async () => {
    beforeRow = (row) => {
      if (!row.includes('"r3"')) return;
      const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...connection } = work.connections.get(work.connectionId);
      work.connections.update(work.connectionId, { ...connection, settings: { host: 'other' } });
    };
    const info = await ended((await start(await fileOf('a.jsonl', rows(30_000)))).id);
    expect(info).toMatchObject({ state: 'interrupted', error: { code: 'CONFLICT' } });
    expect(info.cannotResume).toBeUndefined();
    expect(stored.size).toBe(20_000);
  });

  it('does not continue with a file that has changed', async () => {
    const path = await fileOf('a.jsonl', rows(30));
    const info = await cut(path, 12);
    await writeFile(path, rows(31));
    await expect(imports.resume({ id: info.id }, never)).rejects.toThrow(/has changed/);
    // It never will: no window offers it again.
    expect(imports.list()).toMatchObject([{ state: 'interrupted', cannotResume: true }]);
  });

  it('says of a file that has changed which of its rows are there, since a mode that replaces rows does not help those without a key', async () => {
    const path = await fileOf('a.jsonl', rows(30, false));
    const info = await cut(path, 12);
    await writeFile(path, rows(31, false));
    await expect(imports.resume({ id: info.id }, never)).rejects.toMatchObject({
      details: { advice: expect.stringContaining('up to 30 rows of it may be written') as string },
    });
  });

  it('continues with a file that was copied back: the bytes count, and not their times', async () => {
    const path = await fileOf('a.jsonl', rows(30));
    const info = await cut(path, 12);
    await rm(path);
    await writeFile(path, rows(30));
    await imports.resume({ id: info.id }, never);
    expect(await ended(info.id)).toMatchObject({ state: 'done', written: 30, rejected: 0 });
    expect(stored.size).toBe(30);
  });

  it('does not continue with other bytes of the same length', async () => {
    const path = await fileOf('a.jsonl', rows(30));
    const info = await cut(path, 12);
    await writeFile(path, rows(30).replace('"id"', '"di"'));
    await expect(imports.resume({ id: info.id }, never)).rejects.toThrow(/has changed/);
    expect(stored.size).toBe(12);
  });

  it('does not continue with other names of columns, which are before the first row', async () => {
    const csv = (name: string): string => `id,${name}\n${Array.from({ length: 30 }, (_, row) => `r${row},${row}`).join('\n')}\n`;
    const path = await fileOf('a.csv', csv('pages'));
    const info = await cut(path, 12);
    await rm(path);
    await writeFile(path, csv('sheet'));
    await expect(imports.resume({ id: info.id }, never)).rejects.toThrow(/has changed/);
    await writeFile(path, csv('pages'));
    await imports.resume({ id: info.id }, never);
    expect(await ended(info.id)).toMatchObject({ state: 'done', read: 30 });
  });

  it('is resumed once when three ask at the same time, and no run of it says that it was cancelled', async () => {
    const info = await cut(await fileOf('a.jsonl', rows(30)), 12);
    const asked = await Promise.allSettled(Array.from({ length: 3 }, () => imports.resume({ id: info.id }, never)));
    expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await ended(info.id)).toMatchObject({ state: 'done', written: 30, rejected: 0 });
  });

  it('stays cancelled when it is cancelled while somebody resumes it', async () => {
    const info = await cut(await fileOf('a.jsonl', rows(30)), 12);
    const resumed = imports.resume({ id: info.id }, never);
    await imports.cancel(info.id);
    await expect(resumed).rejects.toThrow(/needs no resuming/);
    expect(imports.list()).toMatchObject([{ state: 'cancelled' }]);
    expect(stored.size).toBe(12);
  });

  it('can be resumed when its file is there again', async () => {
    const path = await fileOf('a.jsonl', rows(30));
    const info = await cut(path, 12);
    await rename(path, `${path}.away`);
    await expect(imports.resume({ id: info.id }, never)).rejects.toThrow(/does not exist/);
    expect(imports.list()[0]?.cannotResume).toBeUndefined();
    await rename(`${path}.away`, path);
    await imports.resume({ id: info.id }, never);
    expect(await ended(info.id)).toMatchObject({ state: 'done', written: 30 });
  });

  it('counts the bytes of rows that have an outcome, though the file is read ahead of them', async () => {
    const rows = 4_000;
    const path = await fileOf('books.jsonl', Array.from({ length: rows }, (_, n) => `{"id":"${n + rows}"}\n`).join(''));
    let written = 0;
    beforeRow = async () => {
      written += 1;
      if (written % 1_500 === 0) await delay(300);
    };
    const shares: number[][] = [];
    const { id } = await start(path);
    for await (const { read, bytes, totalBytes } of imports.follow(id, never)) shares.push([read / rows, bytes / totalBytes]);
    expect(shares.some(([read = 0]) => read > 0 && read < 1)).toBe(true);
    for (const [read = 0, bytes] of shares) expect(bytes).toBeCloseTo(read, 2);
    expect(shares.at(-1)).toEqual([1, 1]);
  });

  it('pauses after the rows in flight, and continues', async () => {
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    beforeRow = async (row) => {
      if (!row.includes('"r3"')) return;
      reached.resolve();
      await go.promise;
    };
    // More than one part, so that something is left.
    const path = await fileOf('a.jsonl', rows(30_000));
    const { id } = await start(path);
    await reached.promise;
    expect(imports.pause(id).state).toBe('pausing');
    go.resolve();
    const paused = await ended(id);
    expect(paused.state).toBe('paused');
    expect(paused.read).toBeLessThan(30_000);
    expect(paused.uncertain).toBeUndefined();
    await imports.resume({ id }, never);
    expect(await ended(id)).toMatchObject({ state: 'done', written: 30_000, rejected: 0 });
  });

  it('ends when it is cancelled; rows that were written stay', async () => {
    const { id } = await start(await fileOf('a.jsonl', rows(60_000)));
    await vi.waitFor(() => expect(stored.size).toBeGreaterThan(0));
    const info = await imports.cancel(id);
    expect(info.state).toBe('cancelled');
    expect(stored.size).toBeGreaterThanOrEqual(info.written);
    await expect(imports.resume({ id }, never)).rejects.toThrow(/needs no resuming/);
  });
});

describe('an uploaded file', () => {
  it('comes in pieces, is imported when it is whole, and is removed at the end', async () => {
    const text = Buffer.from('{"id":"a"}\n{"id":"b"}\n');
    const id = await uploads.open('books.jsonl', text.length);
    const source = { is: 'upload', id } as const;
    const request = startImportSchema.parse({ connectionId: work.connectionId, table: BOOKS, source });
    await uploads.add(id, 0, text.subarray(0, 5));
    await expect(uploads.add(id, 9, text.subarray(9))).rejects.toThrow(/wrong place/);
    await expect(imports.start(request, never)).rejects.toThrow(/not been sent whole/);
    await uploads.add(id, 0, text.subarray(0, 5));
    await uploads.add(id, 5, text.subarray(5));
    await expect(uploads.add(id, text.length, text)).rejects.toThrow(/wrong place/);
    const info = await ended((await imports.start(request, never)).id);
    expect(info).toMatchObject({ state: 'done', written: 2, name: 'books.jsonl' });
    await vi.waitFor(async () =>
      expect(await stat(join(folder, 'home', 'imports', `${id}.source`)).catch(() => undefined)).toBeUndefined(),
    );
  });

  it('is written whole, also where the system writes a part of a piece only, and one that the disk has cut is not whole', async () => {
    const path = await fileOf('probe', '');
    const probe = await open(path);
    const handles = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    const spy = vi.spyOn(handles, 'write');
    spy.mockImplementationOnce(function (this: FileHandle, piece: Uint8Array) {
      return this.write(piece, 0, 3, 0);
    } as never);
    const text = Buffer.from('{"id":"a"}\n');
    const id = await uploads.open('books.jsonl', text.length);
    await uploads.add(id, 0, text);
    spy.mockRestore();
    const whole = await uploads.whole(id);
    expect(await readFile(whole.path, 'utf8')).toBe(text.toString());
    await truncate(whole.path, 5);
    await expect(uploads.whole(id)).rejects.toThrow(/not been sent whole/);
  });

  it('of an unknown id or without room on the disk is refused', async () => {
    await expect(uploads.add('7c1b4b6e-9f39-4a3a-9a2b-10a0f3e2c901', 0, new Uint8Array(1))).rejects.toThrow(/not on the list/);
    await expect(uploads.open('huge', Number.MAX_SAFE_INTEGER)).rejects.toThrow(/no room/);
  });
});
