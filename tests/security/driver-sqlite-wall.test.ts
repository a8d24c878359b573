import { link, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '@tabularium/sdk/manifest';
import { parseManifest } from '@tabularium/sdk/manifest';
import type { RemoteSession } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import { driverSource, ProcessBench, testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { bundleAlone } from '../../scripts/build/bundles.ts';
import { root } from '../../scripts/paths.ts';
import sqlitePackage from '../../drivers/sqlite/package.json' with { type: 'json' };

// node:sqlite opens files past Node's permission model, so the kernel alone keeps a driver with that grant to its database. These tests run
// a hostile driver and the real one on a database in a folder that also holds a person's files and the data directory.

const signal = new AbortController().signal;

let bench: ProcessBench;
let home: string;
let dataDirectory: string;

beforeAll(async () => {
  bench = await ProcessBench.open();
  home = join(bench.folder, 'person');
  dataDirectory = join(home, '.local', 'share', 'tabularium');
  await mkdir(dataDirectory, { recursive: true });
  await writeFile(join(home, '.bashrc'), '# mine\n');
  await writeFile(join(dataDirectory, 'tabularium.db'), 'connections');
});
afterAll(() => bench.close());

function database(
  name: string,
  sql = 'CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t (b) VALUES (1), (2)',
): string {
  const path = join(home, name);
  const made = new DatabaseSync(path);
  made.exec(sql);
  made.close();
  return path;
}

const manifest = (): Manifest =>
  testManifest({
    connection: { fields: [{ id: 'file', label: 'File', type: 'file', readBy: 'driver' }] },
    permissions: {
      files: [{ field: 'file', access: 'readWrite', reason: 'It is the database.' }],
      unconfined: { reason: 'SQLite.', grants: ['sqlite'] },
    },
  });

/** The result of each attempt of a hostile driver: `reached`, or the error. They see `path`, `other` and `open`. */
async function outcomes(
  path: string,
  works: Readonly<Record<string, string>>,
  permissionModel = true,
): Promise<Record<string, string>> {
  const source = driverSource(`async listTables() {
    const { DatabaseSync } = await import('node:sqlite');
    const path = context.file.paths.file;
    const folder = path.slice(0, path.lastIndexOf('/'));
    const open = (file = path, options = {}) => new DatabaseSync(file, options);
    const works = { ${Object.entries(works)
      .map(([name, work]) => `${JSON.stringify(name)}: () => { ${work} }`)
      .join(',')} };
    return Object.entries(works).map(([name, work]) => {
      let outcome = 'reached';
      try { work(); } catch (error) { outcome = String(error.message); }
      return { ref: { namespace: [name], name: outcome }, kind: 'table' };
    });
  },`);
  const driver: InstalledDriver = { ...(await bench.driver(source, manifest())), allowedGrants: ['sqlite'] };
  const processes = await bench.processes({ walls: { permissionModel }, protectedFolder: dataDirectory });
  const session = await processes.connect({ driver, settings: {}, files: { file: path }, signal });
  const tables = await session.listTables({ signal });
  await processes.close();
  return Object.fromEntries(tables.map(({ ref }) => [ref.namespace[0] ?? '', ref.name]));
}

const ESCAPES = {
  'opening another database': "open(folder + '/.local/share/tabularium/tabularium.db').exec('create table x (a)')",
  'creating a database beside it': "open(folder + '/beside.db').exec('create table x (a)')",
  'writing a file of the person': "open(folder + '/.bashrc').exec('create table x (a)')",
  'attaching another file': "open().exec(`attach '${folder}/attached.db' as o; create table o.x (a)`)",
  'VACUUM INTO': "open().exec(`vacuum into '${folder}/copy.db'`)",
  'a backup to another file': "open().exec(`attach 'file:${folder}/uri.db?mode=rwc' as o; create table o.x (a)`)",
  'a temporary file elsewhere': "open('/tmp/tabularium-escape.db').exec('create table x (a)')",
  'reading a file as a database': "open('/etc/passwd', { readOnly: true }).prepare('select * from sqlite_schema').all()",
  'the folder of temporary files elsewhere':
    "const d = open(); d.exec(`pragma temp_store_directory = '/var/tmp'`); d.exec('pragma temp_store = 1; pragma cache_spill = 1; create temp table big as with recursive n(i) as (select 1 union all select i + 1 from n limit 400000) select i, hex(randomblob(20)) as b from n')",
};

describe('a driver with SQLite', () => {
  it.each([true, false])('writes its database and no other file (permission model: %s)', async (permissionModel) => {
    const path = database(`own-${String(permissionModel)}.db`);
    const before = readdirSync(home).sort();
    const found = await outcomes(
      path,
      {
        'its own database': "const d = open(); d.exec('pragma journal_mode = truncate; insert into t (b) values (3)'); d.close()",
        'a large sort':
          "open().prepare('with recursive n(i) as (select 1 union all select i + 1 from n limit 300000) select hex(randomblob(20)) as h from n order by h').all().length",
        VACUUM: "const d = open(); d.exec('pragma journal_mode = truncate; vacuum'); d.close()",
        ...ESCAPES,
      },
      permissionModel,
    );
    const { 'its own database': own, 'a large sort': sort, VACUUM: vacuum, ...escapes } = found;
    expect([own, sort, vacuum]).toEqual(['reached', 'reached', 'reached']);
    expect(Object.keys(escapes)).toEqual(Object.keys(ESCAPES));
    expect(Object.entries(escapes).filter(([, outcome]) => outcome === 'reached')).toEqual([]);
    expect(readdirSync(home).sort()).toEqual([...before, `own-${String(permissionModel)}.db-journal`].sort());
    expect(await readFile(join(home, '.bashrc'), 'utf8')).toBe('# mine\n');
    expect(await readFile(join(dataDirectory, 'tabularium.db'), 'utf8')).toBe('connections');
    expect(existsSync('/tmp/tabularium-escape.db')).toBe(false);
  });

  it('writes a database with a write-ahead log', async () => {
    const path = database('log.db', 'PRAGMA journal_mode = WAL; CREATE TABLE t (a)');
    const found = await outcomes(path, {
      write: "const d = open(); d.exec('insert into t values (1)'); d.close()",
      again: "const d = open(); d.exec('insert into t values (2)'); d.close()",
    });
    expect(found).toEqual({ write: 'reached', again: 'reached' });
    const read = new DatabaseSync(path);
    expect(read.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 2 });
    read.close();
  });

  it.each([
    ['as it is', async () => join(dataDirectory, 'tabularium.db')],
    ['with dots', async () => join(home, '..', 'person', '.local', 'share', 'tabularium') + '/./tabularium.db'],
    [
      'through a symbolic link',
      async () => {
        await symlink(join(dataDirectory, 'tabularium.db'), join(home, 'linked.db'));
        return join(home, 'linked.db');
      },
    ],
    [
      'through a linked folder',
      async () => {
        await symlink(dataDirectory, join(home, 'linked'));
        return join(home, 'linked', 'tabularium.db');
      },
    ],
    [
      'through a hard link',
      async () => {
        await link(join(dataDirectory, 'tabularium.db'), join(home, 'hard.db'));
        return join(home, 'hard.db');
      },
    ],
  ])('is not given a file of the data directory: %s', async (_name, make) => {
    const path = await make();
    await expect(outcomes(path, {})).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('data directory') as unknown,
    });
    const processes = await bench.processes({ protectedFolder: dataDirectory });
    await expect(processes.assertFilesAllowed(manifest(), { file: path })).rejects.toMatchObject({ details: { field: 'file' } });
  });

  it.each(['-journal', '-wal', '-shm'])('is not given what a link beside its database names: %s', async (suffix) => {
    const path = database(`trap${suffix}.db`);
    await symlink(join(home, '.bashrc'), `${path}${suffix}`);
    await expect(outcomes(path, {})).rejects.toThrow(/is a link, so the driver would reach another file/);
    await rm(`${path}${suffix}`);
    await link(join(home, '.bashrc'), `${path}${suffix}`);
    await expect(outcomes(path, {})).rejects.toThrow(/is a link, so the driver would reach another file/);
  });
});

describe('the SQLite driver', () => {
  async function open(path: string): Promise<RemoteSession> {
    const parsed = parseManifest(sqlitePackage.tabularium);
    if (!parsed.ok) throw new Error(parsed.problems.join());
    const folder = join(bench.folder, 'bundle');
    await bundleAlone(root, { index: 'drivers/sqlite/src/index.ts' }, folder);
    const made = await bench.driver(await readFile(join(folder, 'index.js'), 'utf8'), parsed.manifest);
    const processes = await bench.processes({ protectedFolder: dataDirectory });
    return processes.connect({ driver: { ...made, allowedGrants: ['sqlite'] }, settings: {}, files: { file: path }, signal });
  }
  async function run(session: RemoteSession, statement: string): Promise<void> {
    for await (const event of session.console?.run(statement, { maxRows: 10, signal }) ?? []) void event;
  }
  const rowsOf = (path: string): unknown => {
    const read = new DatabaseSync(path);
    const row = read.prepare('SELECT count(*) AS n FROM t').get();
    read.close();
    return row?.['n'];
  };

  it('writes beside another program that removes the journal after each change', async () => {
    const path = database('shared.db');
    const session = await open(path);
    await run(session, 'INSERT INTO t (b) VALUES (3)');
    const other = new DatabaseSync(path);
    other.exec('INSERT INTO t (b) VALUES (4)');
    other.close();
    expect(existsSync(`${path}-journal`)).toBe(false);
    await run(session, 'INSERT INTO t (b) VALUES (5)');
    await run(session, 'VACUUM');
    await run(session, 'PRAGMA journal_mode = DELETE');
    await run(session, 'INSERT INTO t (b) VALUES (6)');
    expect(statSync(`${path}-journal`).size).toBe(0);
    await session.close();
    expect(rowsOf(path)).toBe(6);
  });

  it('continues with a file that replaced the opened one', async () => {
    const path = database('replaced.db');
    const session = await open(path);
    await run(session, 'INSERT INTO t (b) VALUES (3)');
    await rename(database('other.db', 'CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)'), path);
    await run(session, "INSERT INTO t (b) VALUES ('new')");
    await session.close();
    expect(rowsOf(path)).toBe(1);
  });

  it('writes a database with a write-ahead log beside another program', async () => {
    const path = database('log2.db', 'PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)');
    const session = await open(path);
    await run(session, 'INSERT INTO t (b) VALUES (1)');
    const other = new DatabaseSync(path);
    other.exec('INSERT INTO t (b) VALUES (2)');
    await run(session, 'INSERT INTO t (b) VALUES (3)');
    other.close();
    await session.close();
    expect(rowsOf(path)).toBe(3);
  });
});
