import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../../host/src/common/errors.ts';
import { MIGRATIONS } from '../../host/src/runtime/storage/migrations.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import type { Home } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { Backups } from '../../host/src/runtime/storage/backups.ts';
import { openHomeDatabase } from '../../host/src/runtime/storage/homeDatabase.ts';
import { restoreDatabase } from '../../host/src/runtime/storage/restoreDatabase.ts';

// Files that a machine, a disk or another program has damaged. In every case: an error that says what to do, never an application that looks empty,
// never a byte of the file changed.

const PAGE = 4_096;
const KNOWN = MIGRATIONS.map(({ id }) => id);
/** Codes that a person can act on. */
const CODES = new Set(['DATABASE_DAMAGED', 'DATABASE_FOREIGN', 'DATABASE_NEWER', 'HOME_UNUSABLE']);

let root: string;
let template: string;
let home: Home;
let file: string;
let backup: string;
let next = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tabularium-damage-'));
  const made = await openHome(join(root, 'template'));
  const { database, backups } = openHomeDatabase(made, MIGRATIONS, silentLogger);
  for (let number = 0; number < 40; number += 1) insertConnection(database.connection, `Shop ${number}`);
  await backups.create(database.connection, 'daily');
  database[Symbol.dispose]();
  template = made.folder;
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(() => freshHome());

async function freshHome(): Promise<void> {
  const folder = join(root, `home-${(next += 1)}`);
  await cp(template, folder, { recursive: true });
  home = await openHome(folder);
  file = join(folder, 'tabularium.db');
  backup = join(home.backups, (await readdir(home.backups))[0] ?? '');
}

function insertConnection(connection: DatabaseSync, name: string): void {
  const columns = connection.prepare('PRAGMA table_info(connections)').all();
  const values = columns.map(({ name: column, type, notnull, dflt_value: fallback }) => {
    if (column === 'id' || column === 'name') return name;
    if (column === 'external_clients') return 'blocked';
    if (column === 'ai_policy') return 'askEachTime';
    if (notnull === 0 || fallback !== null) return null;
    return type === 'INTEGER' ? 0 : '{}';
  });
  const used = columns
    .map(({ name: column }, index) => [String(column), values[index] ?? null] as const)
    .filter(([, value]) => value !== null);
  connection
    .prepare(`INSERT INTO connections (${used.map(([column]) => column).join(', ')}) VALUES (${used.map(() => '?').join(', ')})`)
    .run(...used.map(([, value]) => value));
}

/** Opens the data directory as a host does. @returns the number of connections, or the error */
function open(): number | HostError {
  try {
    using database = openHomeDatabase(home, MIGRATIONS, silentLogger).database;
    return Number(database.connection.prepare('SELECT count(*) AS count FROM connections').get()?.['count']);
  } catch (error) {
    if (error instanceof HostError) return error;
    throw error;
  }
}

/** Fails unless the file is refused with an advice, unchanged, or is read whole. */
function expectSafe(): void {
  const before = readFileSync(file);
  const opened = open();
  if (typeof opened === 'number') {
    expect(opened).toBe(40);
    return;
  }
  expect(CODES).toContain(opened.code);
  expect(opened.advice).toMatch(/tabularium restore|Move|Update|Check/);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(existsSync(backup)).toBe(true);
}

describe('a truncated database', () => {
  it('is refused at every page boundary and inside every page, and names the command that restores the newest backup', async () => {
    const { length } = readFileSync(file);
    const sizes = [0, 1, 15, 16, 50, 99, 100, 101, 512];
    for (let size = PAGE; size < length; size += PAGE) sizes.push(size, size - 1, size + 1_234);
    for (const size of sizes.filter((each) => each < length)) {
      copyFileSync(join(template, 'tabularium.db'), file);
      truncateSync(file, size);
      const opened = open();
      expect(opened, `truncated to ${size}`).toMatchObject({ code: 'DATABASE_DAMAGED' });
      expect((opened as HostError).advice).toContain(`tabularium restore ${backup}`);
      expect(readFileSync(file)).toHaveLength(size);
    }
  });
});

describe('a database with flipped bytes', () => {
  it('is refused unchanged or read whole, never empty and never an error without advice', () => {
    const whole = readFileSync(join(template, 'tabularium.db'));
    const flip = fc.record({ at: fc.nat({ max: whole.length - 1 }), value: fc.integer({ min: 1, max: 255 }) });
    fc.assert(
      fc.property(fc.array(flip, { minLength: 1, maxLength: 24 }), (flips) => {
        const bytes = Buffer.from(whole);
        for (const { at, value } of flips) bytes[at] = (bytes[at] ?? 0) ^ value;
        writeFileSync(file, bytes);
        expectSafe();
      }),
      { numRuns: 150 },
    );
  });

  it('is refused where the header is hit', () => {
    const whole = readFileSync(join(template, 'tabularium.db'));
    for (let at = 0; at < 100; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      writeFileSync(file, bytes);
      expectSafe();
    }
  });
});

describe('something else in the place of the database', () => {
  it.each<readonly [string, string, () => void]>([
    ['a folder', 'DATABASE_FOREIGN', (): void => mkdirSync(file)],
    ['a symbolic link', 'DATABASE_FOREIGN', () => symlinkSync(join(template, 'tabularium.db'), file)],
    ['text', 'DATABASE_DAMAGED', () => writeFileSync(file, 'name,price\nlamp,20\n'.repeat(500))],
    ['nothing, beside backups', 'DATABASE_DAMAGED', () => undefined],
    [
      'the database of another application',
      'DATABASE_FOREIGN',
      () => sql(file, 'PRAGMA application_id = 12345; CREATE TABLE notes (a TEXT)'),
    ],
    ['a database without an application id', 'DATABASE_FOREIGN', () => sql(file, 'CREATE TABLE notes (a TEXT)')],
    ['a database with another table of migrations', 'DATABASE_FOREIGN', () => sql(file, 'CREATE TABLE migrations (version INT)')],
    ['a database without tables', 'DATABASE_FOREIGN', () => sql(file, 'VACUUM')],
    [
      'a database of a newer version',
      'DATABASE_NEWER',
      () => {
        copyFileSync(join(template, 'tabularium.db'), file);
        sql(file, "INSERT INTO migrations VALUES ('9999-future', '2030-01-01')");
      },
    ],
  ])('%s is %s and stays as it is', async (_what, code, put) => {
    await rm(file);
    put();
    const before = existsSync(file);
    expect(open()).toMatchObject({ code });
    expect(existsSync(file)).toBe(before);
    // The way back works from each of these.
    restore();
    expect(open()).toBe(40);
  });

  it('a lock of another program is reported as one', () => {
    const other = new DatabaseSync(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    expect(open()).toMatchObject({ code: 'DATABASE_LOCKED' });
    other.close();
    expect(open()).toBe(40);
  });

  it('a database without an application id that has our tables is accepted', () => {
    sql(
      file,
      "PRAGMA application_id = 0; DELETE FROM migrations WHERE id = '0012-data-directory'; DROP TABLE removed_driver_versions; DROP TABLE unfinished_files",
    );
    expect(open()).toBe(40);
    // The changed file was backed up before the migration.
    return expect(readdir(home.backups)).resolves.toContainEqual(expect.stringMatching(/-migration\.db$/));
  });
});

function sql(target: string, statements: string): void {
  const connection = new DatabaseSync(target);
  connection.exec(statements);
  connection.close();
}

function restore(source = backup): void {
  restoreDatabase({ file, source, backups: backupsOf(), migrations: KNOWN });
}

function backupsOf(): Backups {
  return new Backups({ folder: home.backups, migrations: KNOWN });
}

describe('restore', () => {
  it('keeps the database that it replaces, with what its log holds', async () => {
    const { database } = openHomeDatabase(home, MIGRATIONS, silentLogger);
    insertConnection(database.connection, 'Late');
    // As a killed host leaves it: the last change is in the log alone.
    for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, join(root, `left${suffix}`));
    database[Symbol.dispose]();
    for (const suffix of ['', '-wal']) copyFileSync(join(root, `left${suffix}`), `${file}${suffix}`);
    const { replaced } = restoreDatabase({ file, source: backup, backups: backupsOf(), migrations: KNOWN });
    expect(open()).toBe(40);
    restore(replaced ?? '');
    expect(open()).toBe(41);
  });

  it.each([
    ['damaged', (path: string) => truncateSync(path, 3 * PAGE), /truncated/],
    ['empty', (path: string) => truncateSync(path, 0), /empty/],
    ['foreign', (path: string) => sql(path, 'PRAGMA application_id = 77'), /another application/],
    ['newer', (path: string) => sql(path, "INSERT INTO migrations VALUES ('9999-future', 'x')"), /newer version/],
  ])('refuses a backup that is %s and changes nothing', (_what, harm, message) => {
    const bad = join(root, `bad-${(next += 1)}.db`);
    copyFileSync(backup, bad);
    harm(bad);
    const before = readFileSync(file);
    const refuse = (): void => restore(bad);
    expect(refuse).toThrow(expect.objectContaining({ code: 'BACKUP_UNUSABLE' }));
    expect(refuse).toThrow(message);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}.restoring`)).toBe(false);
  });

  it('clears marks of folders to delete, because they may have been installed again since', () => {
    const marked = join(root, 'marked.db');
    copyFileSync(backup, marked);
    sql(marked, "INSERT INTO removed_driver_versions VALUES ('search', '1.0.0')");
    restore(marked);
    using database = openHomeDatabase(home, MIGRATIONS, silentLogger).database;
    expect(database.connection.prepare('SELECT * FROM removed_driver_versions').all()).toEqual([]);
  });
});

describe('a process that is killed while it', () => {
  /** Runs an operation in another process that kills itself before its n-th change of the file system. @returns whether it was killed */
  async function killAt(operation: 'restore' | 'backup', step: number): Promise<boolean> {
    const child = spawn(
      process.execPath,
      [
        '--conditions=tabularium:source',
        '--import',
        'reflect-metadata',
        join(import.meta.dirname, 'homeChangeChild.ts'),
        home.folder,
        operation,
        String(step),
        backup,
        JSON.stringify(KNOWN),
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (signal === null) expect(code).toBe(0);
    return signal === 'SIGKILL';
  }

  it.each(['restore', 'backup'] as const)('does a %s leaves a whole database and no unfinished file', async (operation) => {
    let step = 1;
    for (; ; step += 1) {
      await freshHome();
      if (operation === 'restore') sql(file, 'DELETE FROM connections WHERE rowid % 2 = 0');
      const killed = await killAt(operation, step);
      const count = open();
      expect(operation === 'restore' ? [20, 40] : [40], `step ${step}`).toContain(count);
      const left = [...(await readdir(home.folder)), ...(await readdir(home.backups))];
      expect(left.filter((name) => /\.(?:part|new|restoring)/.test(name))).toEqual([]);
      for (const { file: backup } of backupsOf().list()) expect(backupsOf().fault(backup)).toBeUndefined();
      if (!killed) break;
    }
    expect(step).toBeGreaterThan(4);
  });
});

describe('a restore that was asked for and cannot be made', () => {
  it.each(['', 'something else', '{}', JSON.stringify({ version: 1, name: 'tabularium-2026-01-02T03-04-05.006Z-daily.db' })])(
    'is said at the next start, once, and the database is as it was: %s',
    (asked) => {
      writeFileSync(join(home.backups, 'restore.json'), asked);
      const before = readFileSync(file);
      for (const expected of [expect.any(String), undefined]) {
        const { database, restoreFailure } = openHomeDatabase(home, MIGRATIONS, silentLogger);
        database[Symbol.dispose]();
        expect(restoreFailure).toEqual(expected);
      }
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );
});
