import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Backups } from '../storage/backups.ts';
import { Database } from '../storage/database.ts';
import { silentLogger } from '../storage/logger.ts';
import { MIGRATIONS } from '../storage/migrations.ts';
import { UnfinishedFiles } from './unfinishedFiles.ts';

let folder: string;
let home: string;
let output: string;
let database: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-unfinished-'));
  home = join(folder, 'home');
  mkdirSync(join(home, 'backups'), { recursive: true });
  mkdirSync(join(folder, 'output'));
  output = join(folder, 'output', 'copy.db');
  database = new Database(join(home, 'tabularium.db'), MIGRATIONS);
});
afterEach(() => {
  database[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const unfinished = (): UnfinishedFiles => new UnfinishedFiles(database.connection, silentLogger, home);
const copy = (): Promise<void> =>
  new Backups({ folder: join(home, 'backups'), migrations: MIGRATIONS.map(({ id }) => id) }).copyTo(
    database.connection,
    output,
    false,
    unfinished(),
  );

/** A process that is killed in the middle of a backup. */
function killedBackup(): void {
  const module = (path: string): string => JSON.stringify(join(import.meta.dirname, path));
  const script = `
    const { Backups } = await import(${module('../storage/backups.ts')});
    const { Database } = await import(${module('../storage/database.ts')});
    const { MIGRATIONS } = await import(${module('../storage/migrations.ts')});
    const { UnfinishedFiles } = await import(${module('unfinishedFiles.ts')});
    const [home, output] = process.argv.slice(1);
    const { connection } = new Database(home + '/tabularium.db', MIGRATIONS);
    const records = new UnfinishedFiles(connection, { info() {}, warn() {} }, home);
    const backups = new Backups({ folder: home + '/backups', migrations: MIGRATIONS.map(({ id }) => id) });
    setImmediate(function look() {
      if (connection.prepare("SELECT 1 FROM unfinished_files WHERE device <> ''").get()) process.kill(process.pid, 'SIGKILL');
      setImmediate(look);
    });
    connection.exec('CREATE TABLE large AS SELECT zeroblob(40000000) AS bytes');
    await backups.copyTo(connection, output, false, records);
    process.exit(1);
  `;
  const words = ['--conditions=tabularium:source', '--input-type=module', '-e', script, home, output];
  const { signal, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect([signal, stderr]).toEqual(['SIGKILL', '']);
}

it('removes at the next start what a backup that was killed left, so that the next one is made', async () => {
  database[Symbol.dispose]();
  killedBackup();
  expect(existsSync(`${output}.part`)).toBe(true);
  writeFileSync(`${output}.part-journal`, '');
  database = new Database(join(home, 'tabularium.db'), MIGRATIONS);
  await unfinished().sweep();
  expect(readdirSync(join(folder, 'output'))).toEqual([]);
  await copy();
  expect(readdirSync(join(folder, 'output'))).toEqual(['copy.db']);
  expect(database.connection.prepare('SELECT * FROM unfinished_files').all()).toEqual([]);
});

it('names the file that is in the way of a backup, and leaves it', async () => {
  writeFileSync(`${output}.part`, 'mine');
  await expect(copy()).rejects.toMatchObject({
    code: 'FILE_EXISTS',
    message: expect.stringContaining(`${output}.part exists`) as string,
  });
  expect(readFileSync(`${output}.part`, 'utf8')).toBe('mine');
  expect(database.connection.prepare('SELECT * FROM unfinished_files').all()).toEqual([]);
});
