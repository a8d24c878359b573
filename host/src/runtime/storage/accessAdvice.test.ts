import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostError } from '../../common/errors.ts';
import type { HostErrorCode } from '../../common/errors.ts';
import type { InstallationCheck } from '../../common/checkup.ts';
import { machineChecks } from '../checkup/machineChecks.ts';
import { Backups } from './backups.ts';
import { accessAdvice } from './accessAdvice.ts';
import { openHome } from './home.ts';
import type { Home } from './home.ts';
import { openHomeDatabase } from './homeDatabase.ts';
import { silentLogger } from './logger.ts';
import { MIGRATIONS } from './migrations.ts';
import { restoreDatabase } from './restoreDatabase.ts';
import { typedWord } from '../../common/typedWord.ts';

const never = new AbortController().signal;
const isRoot = process.getuid?.() === 0;
const OTHER = 65_534;

let folder: string;
let home: Home;
let file: string;
let backup: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-access-'));
  // A name that a shell would part in two.
  home = await openHome(join(folder, "ada's home"));
  file = join(home.folder, 'tabularium.db');
  const { database, backups } = openHomeDatabase(home, MIGRATIONS, silentLogger);
  backup = (await backups.create(database.connection, 'manual')).file;
  database[Symbol.dispose]();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function checks(): Promise<readonly InstallationCheck[]> {
  return Array.fromAsync(machineChecks({ folder: home.folder, env: {}, signal: never, hostRuns: async () => false }));
}

function startError(): HostError {
  try {
    openHomeDatabase(home, MIGRATIONS, silentLogger).database[Symbol.dispose]();
  } catch (error) {
    if (error instanceof HostError) return error;
    throw error;
  }
  throw new Error('it started');
}

describe('the advice for what cannot be reached', () => {
  it('is a command that gives the mode back', () => {
    if (process.platform === 'win32') return;
    chmodSync(file, 0);
    expect(accessAdvice('HOME_UNUSABLE', file)).toContain(`chmod u+rw ${typedWord(file)}`);
    chmodSync(home.folder, 0o500);
    expect(accessAdvice('HOME_UNUSABLE', file)).toContain(`chmod u+rwx ${typedWord(home.folder)} && chmod u+rw`);
    chmodSync(home.folder, 0o700);
    execFileSync('sh', ['-c', String(/Run: (.*)$/.exec(accessAdvice('HOME_UNUSABLE', file) ?? '')?.[1])]);
    expect(accessAdvice('HOME_UNUSABLE', file)).toBeUndefined();
  });

  it('takes no folder from another person or the system, and none above the data directory', () => {
    // Only root may give files away, and is asked for here by an effective user of its own.
    if (!isRoot) return;
    const [mine, theirs] = [join(folder, 'mine'), join(folder, 'theirs')];
    for (const parent of [mine, theirs]) mkdirSync(join(parent, 'data'), { recursive: true });
    chmodSync(folder, 0o755);
    chownSync(mine, OTHER, OTHER);
    process.seteuid?.(OTHER);
    const asOther = vi.spyOn(process, 'getuid').mockReturnValue(OTHER);
    try {
      for (const path of ['/etc', '/', '/root', theirs, join(theirs, 'data')])
        expect([path, accessAdvice('HOME_UNUSABLE', path)]).toEqual([path, undefined]);
      expect(accessAdvice('HOME_UNUSABLE', join(mine, 'data'))).toBeUndefined();
      process.seteuid?.(0);
      writeFileSync(join(mine, 'data', 'tabularium.db'), '');
      process.seteuid?.(OTHER);
      expect(accessAdvice('HOME_UNUSABLE', join(mine, 'data'))).toMatch(/Run: sudo chown \S+ \S+\/mine\/data$/);
    } finally {
      asOther.mockRestore();
      process.seteuid?.(0);
    }
  });

  it('is only for faults of access', () => {
    chmodSync(file, 0);
    for (const code of ['DATABASE_DAMAGED', 'DATABASE_LOCKED', 'DISK_FULL'] as const satisfies readonly HostErrorCode[])
      expect(accessAdvice(code, file)).toBeUndefined();
  });

  it('is the owner, for a database that belongs to another user, and no backup', async () => {
    // Only root may give files away.
    if (!isRoot) return;
    chownSync(file, OTHER, OTHER);
    const command = `sudo chown ${userInfo().username} ${typedWord(file)}`;
    const check = (await checks()).find(({ name }) => name === 'database');
    expect(check).toMatchObject({ ok: false, advice: expect.stringContaining(command) as string });
    expect(check?.advice).not.toContain('restore');
    expect(startError()).toMatchObject({ code: 'HOME_UNUSABLE', advice: expect.stringContaining(command) as string });
  });

  it('is the owner for the folder, too', async () => {
    // Only root may give files away.
    if (!isRoot) return;
    chownSync(home.folder, OTHER, OTHER);
    const check = (await checks()).find(({ name }) => name === 'dataDirectory');
    expect(check?.advice).toContain(`sudo chown ${userInfo().username} ${typedWord(home.folder)}`);
  });

  it('is a backup where the content is at fault', async () => {
    writeFileSync(file, 'x'.repeat(5_000));
    expect((await checks()).find(({ name }) => name === 'database')?.advice).toContain('tabularium restore');
    expect(startError().advice).toContain('tabularium restore');
  });

  it('is the mode for a user who may not read the database', async () => {
    // Root reads every file.
    if (isRoot || process.platform === 'win32') return;
    chmodSync(file, 0);
    const command = `chmod u+rw ${typedWord(file)}`;
    const check = (await checks()).find(({ name }) => name === 'database');
    expect(check).toMatchObject({ ok: false, advice: expect.stringContaining(command) as string });
    expect(check?.advice).not.toContain('restore');
    expect(startError()).toMatchObject({ code: 'HOME_UNUSABLE', advice: expect.stringContaining(command) as string });
  });

  it("is the mount on a read-only file system, which isn't the fault of a backup", async () => {
    if (!isRoot || process.platform !== 'linux') return;
    const point = join(folder, 'disk');
    mkdirSync(point);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', point]);
    try {
      execFileSync('cp', ['-a', home.folder, join(point, 'home')]);
      home = await openHome(join(point, 'home'));
      file = join(home.folder, 'tabularium.db');
      execFileSync('mount', ['-o', 'remount,ro', point]);
      const command = `sudo mount -o remount,rw ${point}`;
      const found = await checks();
      expect(found.find(({ name }) => name === 'dataDirectory')).toMatchObject({
        ok: false,
        advice: expect.stringContaining(command) as string,
      });
      for (const { advice } of found) expect(advice ?? '').not.toContain('restore');
      expect(startError()).toMatchObject({ code: 'HOME_READ_ONLY', advice: expect.stringContaining(command) as string });
      const known = MIGRATIONS.map(({ id }) => id);
      const backups = new Backups({ folder: home.backups, migrations: known });
      expect(() => restoreDatabase({ file, source: backup, backups, migrations: known })).toThrow(
        expect.objectContaining({
          code: 'HOME_READ_ONLY',
          message: expect.stringContaining('the backup is not at fault') as string,
          advice: expect.stringContaining(command) as string,
        }),
      );
    } finally {
      execFileSync('umount', ['-l', point]);
    }
  });
});
