import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifestSchema } from '@tabularium/sdk/manifest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkupSchema } from '../../host/src/common/checkup.ts';
import { writeNewFile } from '../../host/src/cli/textFiles.ts';
import { MIGRATIONS } from '../../host/src/runtime/storage/migrations.ts';
import { errorReport } from '../../host/src/runtime/errors/errorReport.ts';
import { announceEndpoint } from '../../host/src/runtime/ownerSocket/endpoint.ts';
import { writeChange } from '../../host/src/runtime/mcp/clients/configFile.ts';
import { ConnectionImport } from '../../host/src/runtime/connections/connectionImport.ts';
import { ConnectionStore } from '../../host/src/runtime/connections/connectionStore.ts';
import { EditStore } from '../../host/src/runtime/editing/editStore.ts';
import { diskSpace } from '../../host/src/runtime/storage/diskSpace.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import type { Home } from '../../host/src/runtime/storage/home.ts';
import { ActivityLog } from '../../host/src/runtime/mcp/activity/activityLog.ts';
import { TokenStore } from '../../host/src/runtime/mcp/access/tokenStore.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { DocumentCache } from '../../host/src/runtime/drivers/registry/documentCache.ts';
import { openHomeDatabase } from '../../host/src/runtime/storage/homeDatabase.ts';
import type { HomeDatabase } from '../../host/src/runtime/storage/homeDatabase.ts';
import { FileQuestion } from '../../host/src/runtime/transfer/fileQuestion.ts';
import { PartFile } from '../../host/src/runtime/transfer/partFile.ts';
import { UndecidedFiles } from '../../host/src/runtime/transfer/undecidedFiles.ts';
import { UnfinishedFiles } from '../../host/src/runtime/transfer/unfinishedFiles.ts';
import { tinyDriver, tinyManifest } from '../../registry/src/tinyDriver.test-helper.ts';
import { root } from '../../scripts/paths.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';

// A real file system without space: a tmpfs of its own. Mounting needs root on Linux, as CI has it; elsewhere `npm test` says that
// they are not run.

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

  it('entries of the activity log wait and are written when there is space again', async () => {
    const problems: unknown[] = [];
    const log = new ActivityLog(opened.database.connection, {
      logStatements: () => true,
      onProblem: (error) => problems.push(error),
    });
    const write = (action: string): void =>
      log.add({ kind: 'administration', action, outcome: 'done', statement: 'x'.repeat(9_000) });
    fill();
    for (let number = 0; number < 60; number += 1) write(`a${number}`);
    expect(problems.map((error) => errorReport(error).code)).toContain('DISK_FULL');
    free();
    write('last');
    const all = (await Array.fromAsync(log.all({ search: '', limit: 1_000 }))).flat().map(({ action }) => action);
    expect(all).toEqual([...Array.from({ length: 60 }, (_, number) => `a${number}`), 'last']);
    expect(await log.verify()).toMatchObject({ whole: true, entries: 61 });
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

  it('a backup never replaces the database that it copies', async () => {
    const file = join(home.folder, 'tabularium.db');
    const before = statSync(file).ino;
    await expect(opened.backups.copyTo(opened.database.connection, file, true)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    expect(statSync(file).ino).toBe(before);
    await opened.backups.copyTo(opened.database.connection, join(folder, 'elsewhere.db'), false);
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

  it('a file that a person is asked about is still decided about, and the question that could not be recorded ends with this host', async () => {
    const file = join(folder, 'rows.jsonl');
    const { connection } = opened.database;
    const unfinished = new UnfinishedFiles(connection, silentLogger, home.folder);
    const part = await PartFile.open(file, false, unfinished);
    await part.write(Buffer.from('{}\n'));
    fill();
    const state = await part.hold();
    const records = new UndecidedFiles(connection, silentLogger);
    const row = { got: 1, counted: 2 };
    const info = { id: randomUUID(), connectionId: 'c', table: { namespace: [], name: 't' }, format: 'jsonl', file } as const;
    const progress = { rows: 1, bytes: 3, bytesPerSecond: 0, milliseconds: 1, startedAt: 'now', rowsDiffer: row } as const;
    // Longer than the room that the database may have left in its pages.
    const advice = 'x'.repeat(2_000_000);
    const error = { code: 'ROWS_DIFFER', message: '', advice, retryable: false, details: {} } as const;
    const record = {
      info: { ...info, ...progress, state: 'undecided', asked: 'window', error },
      overwrite: false,
      state,
    } as const;
    records.add(record);
    expect(records.list()).toEqual([]);
    expect(await new FileQuestion(record, new Error('x'), records).decide('keep')).toEqual({ isSaved: true });
    expect(await readFile(file, 'utf8')).toBe('{}\n');
  });

  it('the host reports where there is no space, and when there is again', async () => {
    const { signal } = new AbortController();
    fill();
    expect(await diskSpace(home.folder, signal)).toEqual({ folder: home.folder, freeBytes: 0, hasSpace: false });
    expect(await readdir(home.cache)).not.toContain('space-check');
    free();
    const after = await diskSpace(home.folder, signal);
    expect(after).toMatchObject({ folder: home.folder, hasSpace: true });
    expect(after.freeBytes).toBeGreaterThan(1_000_000);
  });

  it('a command says so, with exit code 1, and works when there is space again', () => {
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

  it('a connection, staged edits and imported connections are reported as not saved, and none of those saved before is lost', async () => {
    const { database } = opened;
    const store = new ConnectionStore(database);
    const save = () =>
      store.create({
        name: randomUUID(),
        driver: 'shelf',
        settings: { note: 'x'.repeat(2_000) },
        secrets: {},
        access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
        color: 'gray',
      });
    const { id } = save();
    const edits = new EditStore(database);
    const where = { connectionId: id, table: { namespace: [], name: 't' } };
    let number = 0;
    const stage = (): void => {
      number += 1;
      edits.write(where, { steps: [{ number, undone: false, changes: [] }] }, true);
    };
    stage();
    fill();
    for (const work of [save, stage]) {
      const codes = Array.from({ length: 60 }, () => reportOf(work)).filter((code) => code !== 'no error');
      expect(codes.length).toBeGreaterThan(0);
      expect(new Set(codes)).toEqual(new Set(['DISK_FULL']));
    }
    const imports = new ConnectionImport({
      store,
      service: { importOne: async () => save(), freeName: (name) => name },
      manifests: {
        manifestOf: async () => manifestSchema.parse(tinyManifest('search')),
        senderOf: () => Promise.reject(new Error('not asked for')),
      },
    });
    const text = JSON.stringify({
      format: 'tabularium-connections',
      version: 1,
      connections: [{ name: 'n', driver: 'search', settings: {}, secretsFromEnvironment: {} }],
    });
    const [outcome] = await imports.import({ text, choices: [{ index: 0, onConflict: 'rename' }] });
    expect(outcome).toMatchObject({ outcome: 'failed', message: expect.stringMatching(/^The disk is full\. \S/) as string });
    const [saved, staged] = [store.list().length, edits.load(where).steps.length];
    free();
    save();
    stage();
    expect([store.list().length, edits.load(where).steps.length]).toEqual([saved + 1, staged + 1]);
  });

  it('a driver is not installed, leaves nothing, and is installed when there is space again', async () => {
    const registry = await createRegistry();
    await registry.publish(tinyDriver({ version: '1.0.0' }));
    const folderOfHost = join(folder, 'packages');
    mkdirSync(folderOfHost, { mode: 0o700 });
    const host = await createPackageHost({ home: folderOfHost, registryFile: registry.registryJsonPath });
    try {
      fill();
      await expect(host.install('tiny', '1.0.0').catch((error: unknown) => errorReport(error))).resolves.toMatchObject({
        code: 'DISK_FULL',
      });
      expect(await host.files()).toEqual([]);
      free();
      await host.install('tiny', '1.0.0');
      expect((await host.installed.current('tiny')).version).toBe('1.0.0');
    } finally {
      await host.stop();
      await registry.close();
    }
  });

  it('the cache of registry documents carries on from memory, and leaves no unfinished file', async () => {
    const documents = join(folder, 'documents');
    mkdirSync(documents);
    const cache = new DocumentCache(documents);
    const entry = {
      registryId: 'r',
      checkedAt: new Date().toISOString(),
      document: { name: 'driver-x', versions: [], readme: 'x'.repeat(9_000) },
    };
    fill();
    await cache.put(entry);
    expect(await cache.get('r', 'driver-x')).toEqual(entry);
    expect(await readdir(documents)).toEqual([]);
    free();
    await cache.put(entry);
    expect(await new DocumentCache(documents).get('r', 'driver-x')).toMatchObject(entry);
    await expect(new DocumentCache(join(folder, 'home', 'tabularium.db')).put(entry)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it('a command that writes a file keeps the one that it was to replace, and leaves no unfinished file', async () => {
    const file = join(folder, 'connections.json');
    await writeNewFile(file, 'before', false, home.folder);
    fill();
    const text = 'x'.repeat(500_000);
    await expect(writeNewFile(file, text, true, home.folder)).rejects.toMatchObject({ code: 'DISK_FULL' });
    await expect(writeNewFile(join(folder, 'new.json'), text, false, home.folder)).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(await readFile(file, 'utf8')).toBe('before');
    expect((await readdir(folder)).toSorted()).toEqual(['connections.json', 'filler', 'home']);
    free();
    await writeNewFile(file, text, true, home.folder);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('the settings of an AI client are left as they were, and nothing is beside them', async () => {
    fill();
    const file = join(folder, 'settings.json');
    await expect(writeChange({ file, before: undefined, after: '{}'.padEnd(9_000) })).rejects.toMatchObject({
      code: 'DISK_FULL',
    });
    expect((await readdir(folder)).toSorted()).toEqual(['filler', 'home']);
  });

  it('doctor names the folder, what is free and needed, and what of Tabularium can be deleted', async () => {
    const { name } = await opened.backups.create(opened.database.connection, 'daily');
    const newest = await opened.backups.create(opened.database.connection, 'manual');
    await writeFile(join(home.logs, 'host.log.1'), 'x'.repeat(300 * 1_024));
    fill();
    const doctor = spawnSync(process.execPath, [join(root, 'host/bin/tabularium.mjs'), 'doctor', '--json'], {
      env: { ...process.env, TABULARIUM_HOME: home.folder },
      encoding: 'utf8',
    });
    const { checks } = checkupSchema.parse(JSON.parse(doctor.stdout));
    const disk = checks.find((check) => check.name === 'disk');
    expect([doctor.status, disk?.ok]).toEqual([1, false]);
    expect(disk?.finding).toBe(
      `0 kB of 3 MB are free on the disk of ${home.folder}. Saving a change needs 1 MB; backups, exports and drivers need 200 MB.`,
    );
    expect(disk?.advice).toMatch(
      /^The disk is too small: .* free 1 MB there for the next change\. You can delete of Tabularium: /,
    );
    expect(disk?.advice).toContain(`the logs in ${home.logs} (300 kB)`);
    expect(disk?.advice).toContain(`the backups in ${home.backups} except ${newest.name} (`);
    expect(disk?.advice).toContain('set TABULARIUM_HOME to a folder on another disk');
    // Following the advice leaves a good backup.
    rmSync(join(home.logs, 'host.log.1'));
    rmSync(join(home.backups, name));
    expect(opened.backups.newestGood()?.name).toBe(newest.name);
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
