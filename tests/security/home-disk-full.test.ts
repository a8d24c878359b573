import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../host/src/runtime/migrations.ts';
import { errorReport } from '../../host/src/runtime/api/errorReport.ts';
import { announceEndpoint } from '../../host/src/runtime/home/endpoint.ts';
import { openHome } from '../../host/src/runtime/home/home.ts';
import type { Home } from '../../host/src/runtime/home/home.ts';
import { ActivityLog } from '../../host/src/runtime/integrations/activity/activityLog.ts';
import { TokenStore } from '../../host/src/runtime/integrations/tokens/tokenStore.ts';
import { silentLogger } from '../../host/src/runtime/logger.ts';
import { openHomeDatabase } from '../../host/src/runtime/storage/homeDatabase.ts';
import type { HomeDatabase } from '../../host/src/runtime/storage/homeDatabase.ts';
import { PartFile } from '../../host/src/runtime/transfer/partFile.ts';
import { root } from '../../scripts/paths.ts';

// A real file system without space: a tmpfs of its own. Mounting needs root on Linux, as CI has it; elsewhere these tests fail and say so.

let folder: string;
let home: Home;
let opened: HomeDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m,mode=0755', 'tmpfs', folder]);
  home = await openHome(join(folder, 'home'));
  opened = openHomeDatabase(home, MIGRATIONS, silentLogger);
});
afterEach(() => {
  opened.database[Symbol.dispose]();
  execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

/** Writes until not one byte more fits. */
function fill(): void {
  const file = openSync(join(folder, 'filler'), 'w');
  try {
    for (let size = 65_536; size >= 1;) {
      try {
        writeSync(file, Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(file);
  }
}

const free = (): void => rmSync(join(folder, 'filler'));

function reportOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return errorReport(error).code;
  }
  return 'no error';
}

describe('on a full disk', () => {
  it('a token is not created, with a clear error, and is created when there is space again', () => {
    const tokens = new TokenStore(opened.database.connection);
    const mint = () => tokens.mint({ name: 'n', scope: 'readOnly', connections: undefined, expiresAt: undefined });
    mint();
    fill();
    const codes = Array.from({ length: 40 }, () => reportOf(mint)).filter((code) => code !== 'no error');
    expect(codes.length).toBeGreaterThan(0);
    expect(new Set(codes)).toEqual(new Set(['DISK_FULL']));
    const before = tokens.list().length;
    free();
    mint();
    expect(tokens.list()).toHaveLength(before + 1);
  });

  it('entries of the activity log wait and are written when there is space again', () => {
    const problems: unknown[] = [];
    const log = new ActivityLog(opened.database.connection, {
      keepStatements: () => true,
      onProblem: (error) => problems.push(error),
    });
    const write = (action: string): void =>
      log.add({ kind: 'administration', action, outcome: 'done', statement: 'x'.repeat(9_000) });
    fill();
    for (let number = 0; number < 60; number += 1) write(`a${number}`);
    expect(problems.map((error) => errorReport(error).code)).toContain('DISK_FULL');
    free();
    write('last');
    const all = [...log.all({ search: '', limit: 1_000 })].map(({ action }) => action);
    expect(all).toEqual([...Array.from({ length: 60 }, (_, number) => `a${number}`), 'last']);
    expect(log.verify()).toMatchObject({ whole: true, entries: 61 });
    log[Symbol.dispose]();
  });

  it('a backup is not made, leaves nothing, and removes no other', async () => {
    const { name } = await opened.backups.create(opened.database.connection, 'daily');
    fill();
    await expect(opened.backups.create(opened.database.connection, 'manual')).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(await readdir(home.backups)).toEqual([name]);
    free();
    await opened.backups.create(opened.database.connection, 'manual');
  });

  it('host.json is not announced and leaves no unfinished file', async () => {
    fill();
    const endpoint = { version: 1, pid: 1, socket: '/s', key: 'ab'.repeat(32), lifetime: 'host' } as const;
    await expect(announceEndpoint(home, endpoint)).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect((await readdir(home.folder)).filter((name) => name.startsWith('host.json'))).toEqual([]);
  });

  it('an export says so and leaves no unfinished file', async () => {
    fill();
    const part = await PartFile.open(join(folder, 'rows.jsonl'), false);
    const failure = part.write(Buffer.alloc(1_000_000));
    await expect(failure).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
    await expect(failure).rejects.toThrow('the disk is full');
    await part.abandon();
    expect((await readdir(folder)).toSorted()).toEqual(['filler', 'home']);
  });

  it('a command says so, with exit code 1, and works when there is space again', { timeout: 120_000 }, () => {
    opened.database[Symbol.dispose]();
    fill();
    const run = () =>
      spawnSync(process.execPath, [join(root, 'host/bin/tabularium.mjs'), 'connections', 'list', '--json'], {
        env: { ...process.env, TABULARIUM_HOME: home.folder },
        encoding: 'utf8',
      });
    const full = run();
    expect([full.status, JSON.parse(full.stdout)]).toMatchObject([1, { error: { code: 'DISK_FULL' } }]);
    free();
    expect(JSON.parse(run().stdout)).toEqual({ connections: [] });
  });

  it('a read-only data directory is reported as one', () => {
    opened.database[Symbol.dispose]();
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'host/bin/tabularium.mjs'), 'connections', 'list', '--json'],
      {
        env: { ...process.env, TABULARIUM_HOME: home.folder },
        encoding: 'utf8',
      },
    );
    expect([status, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'HOME_READ_ONLY' } }]);
  });
});
