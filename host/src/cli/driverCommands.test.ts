import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fingerprintOf, keyIdOf } from '@tabularium/sdk/package';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tinyDriver } from '../../../registry/src/tinyDriver.test-helper.ts';
import { MemoryStore } from '../../../tests/security/memoryStore.ts';
import { createRegistry } from '../../../tests/security/packageHost.ts';
import { createRegistryProxy } from '../../../tests/security/registryProxy.ts';
import { builtRunner, driverSource } from '../runtime/drivers/processes/processes.test-helper.ts';
import { runCli } from './runCli.ts';
import { startRuntime } from './startRuntime.ts';

// The commands about drivers with the runtime that they use in production: a real registry, real packages, driver processes, and homes on disk.

interface Result {
  readonly code: number;
  /** The output of `--json`. */
  readonly answer: Record<string, unknown>;
}

/** A person's computer: a home of its own, and its registries. */
class Computer {
  readonly home: string;
  readonly store = new MemoryStore();
  readonly #env: NodeJS.ProcessEnv;

  constructor(home: string, env: NodeJS.ProcessEnv) {
    this.home = home;
    this.#env = { TABULARIUM_HOME: home, ...env };
  }

  async run(words: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
    const texts = { out: '', err: '' };
    const into = (name: 'out' | 'err'): Writable =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          texts[name] += chunk.toString();
          done();
        },
      });
    const code = await runCli({
      words,
      terminal: { stdin: Readable.from([input]), stdout: into('out'), stderr: into('err') },
      env: this.#env,
      folder: this.home,
      version: '1.2.3',
      rendererFolder: this.home,
      documentationFolder: this.home,
      signal: new AbortController().signal,
      startRuntime: (options) => {
        const own = { ...options, secureStore: this.store, policyFile: join(this.home, 'no-policy.json') };
        return startRuntime(own);
      },
    });
    return { code, ...texts };
  }

  async json(...words: string[]): Promise<Result> {
    const { code, out, err } = await this.run([...words, '--json']);
    return { code, answer: JSON.parse(out === '' ? err : out) as Record<string, unknown> };
  }

  async drivers(...words: string[]): Promise<Record<string, unknown>> {
    const { code, answer } = await this.json('drivers', ...words);
    expect({ code, answer }).toMatchObject({ code: 0 });
    return answer;
  }

  /** The code of the error that a command ends with. */
  async refused(...words: string[]): Promise<{ code: string; message: string }> {
    const { code, answer } = await this.json('drivers', ...words);
    expect({ code, answer }).toMatchObject({ code: 1 });
    return answer['error'] as { code: string; message: string };
  }
}

const fixture = (version: string, sdk = '^1.0') =>
  tinyDriver({
    id: 'fixture',
    version,
    sdk,
    code: driverSource('', '', 'fixture'),
    manifest: { title: 'Fixture', category: 'document' },
  });

let registry: RunningRegistry;
let folder: string;
let computer: Computer;
let computers = 0;

const newComputer = (env: NodeJS.ProcessEnv = {}): Computer => new Computer(join(folder, `home-${(computers += 1)}`), env);
const publisher = () => ({ id: 'local-registry', name: 'Local driver registry', origin: 'localRegistry' });

beforeAll(async () => {
  [registry, folder] = await Promise.all([createRegistry(), mkdtemp(join(tmpdir(), 'tabularium-commands-')), builtRunner()]);
  for (const version of ['1.0.0', '1.1.0', '1.3.0-beta.1']) await registry.publish(fixture(version));
  await registry.publish(fixture('1.2.0', '^2.0'));
  await registry.publish(
    tinyDriver({ id: 'acme', name: '@acme/tabularium-driver', code: driverSource('', '', 'acme'), manifest: { title: 'Acme' } }),
  );
});
afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});
beforeEach(() => {
  computer = newComputer({ TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath });
});
afterEach(() => rm(computer.home, { recursive: true, force: true, maxRetries: 5 }));

describe('drivers search and install', () => {
  it('offer the newest version that runs here, and say why a newer one does not and what to update', async () => {
    const answer = await computer.drivers('search', 'fixture');
    expect(answer).toEqual({
      drivers: [
        {
          id: 'fixture',
          title: 'Fixture',
          tagline: 'A driver for tests.',
          category: 'document',
          packageName: '@tabularium-test/driver-fixture',
          state: 'notInstalled',
          availableVersion: '1.1.0',
          reason: expect.stringMatching(/^Version 1\.2\.0 needs a newer Tabularium .*Update Tabularium\.$/) as string,
        },
      ],
      refreshedAt: expect.any(String) as string,
      catalogues: [
        {
          registry: registry.url,
          state: 'signed',
          version: expect.any(Number) as number,
          expiresAt: expect.any(String) as string,
          fingerprint: expect.stringMatching(/^([0-9a-f]{4} ){15}[0-9a-f]{4}$/) as string,
        },
      ],
    });
    const { out, err } = await computer.run(['drivers', 'search', 'fixture']);
    expect(out).toMatch(/fixture +Fixture +1\.1\.0 +notInstalled/);
    expect(err).toMatch(/fixture: Version 1\.2\.0 needs a newer Tabularium/);
  });

  it('take exactly what was asked for, pre-releases only when asked', async () => {
    expect(await computer.drivers('install', 'fixture')).toEqual({
      id: 'fixture',
      version: '1.1.0',
      milliseconds: expect.any(Number) as number,
      publisher: { ...publisher(), fingerprint: fingerprintOf(await keyIdOf(registry.publisher.publicKey)) },
    });
    const older = ['install', 'fixture', '--version', '1.0.0'];
    expect(await computer.refused(...older)).toMatchObject({ code: 'DRIVER_DOWNGRADE' });
    expect(await computer.drivers(...older, '--allow-downgrade')).toMatchObject({ version: '1.0.0' });
    expect(await computer.drivers('install', 'fixture', '--prerelease')).toMatchObject({ version: '1.3.0-beta.1' });
  });

  it.each([
    [['install', 'nothing'], 'DRIVER_UNKNOWN', /No registry has a driver for/],
    [['install', 'fixture', '--version', '7.0.0'], 'PACKAGE_NOT_FOUND', /no version 7\.0\.0/],
    [['install', 'fixture', '--version', '1.2.0'], 'DRIVER_NOT_COMPATIBLE', /needs a newer Tabularium.*Update Tabularium/],
    [['install', 'fixture', '--registry', 'http://127.0.0.1:1/'], 'REGISTRY_UNREACHABLE', /Nothing is listening/],
    [['install', '--file', 'missing.tgz'], 'INVALID_REQUEST', /does not exist/],
  ])('refuse %j with %s', async (words, code, message) => {
    expect(await computer.refused(...words)).toMatchObject({ code, message: expect.stringMatching(message) as string });
    expect(await computer.drivers('list')).toMatchObject({ drivers: [] });
  });
});

describe('drivers pin, update and rollback', () => {
  it('hold a version, let it go, bring the newest and go back', async () => {
    await computer.drivers('install', 'fixture', '--version', '1.0.0');
    const pinned = await computer.drivers('pin', 'fixture');
    expect(pinned).toMatchObject({
      id: 'fixture',
      version: '1.0.0',
      current: true,
      packageName: '@tabularium-test/driver-fixture',
    });
    expect(await computer.refused('update', 'fixture')).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('pinned to version 1.0.0') as string,
    });
    expect(await computer.drivers('update')).toMatchObject({ updated: [], failed: [] });
    expect(await computer.drivers('unpin', 'fixture')).toEqual({ id: 'fixture' });
    expect(await computer.drivers('update')).toMatchObject({
      updated: [{ id: 'fixture', version: '1.1.0', openSessions: [] }],
      failed: [],
    });
    expect(await computer.drivers('rollback', 'fixture')).toMatchObject({ id: 'fixture', version: '1.0.0', current: true });
    expect(await computer.drivers('update')).toMatchObject({ updated: [], failed: [] });
    expect(await computer.drivers('list')).toMatchObject({
      drivers: [
        { version: '1.0.0', current: true, pinned: false, disabled: false, usedBy: [] },
        { version: '1.1.0', current: false, refusedBecause: 'You rolled it back.' },
      ],
    });
    // Asked for by its number it is not held against any more.
    expect(await computer.drivers('pin', 'fixture', '1.1.0')).toMatchObject({ version: '1.1.0', current: true });
  });

  it('pin installs what is missing', async () => {
    await computer.drivers('install', 'fixture');
    const words = ['pin', 'fixture', '1.0.0'];
    expect(await computer.refused(...words)).toMatchObject({ code: 'DRIVER_DOWNGRADE' });
    expect(await computer.drivers(...words, '--allow-downgrade')).toMatchObject({ version: '1.0.0', current: true });
    expect(await computer.drivers('list')).toMatchObject({
      drivers: [
        { version: '1.1.0', pinned: false },
        { version: '1.0.0', pinned: true },
      ],
    });
  });

  it.each([
    [['rollback', 'fixture'], 'DRIVER_NOT_INSTALLED'],
    [['pin', 'fixture'], 'DRIVER_NOT_INSTALLED'],
    [['update', 'fixture'], 'DRIVER_NOT_INSTALLED'],
    [['enable', 'fixture'], 'DRIVER_NOT_INSTALLED'],
    [['disable', 'fixture'], 'DRIVER_NOT_INSTALLED'],
    [['remove', 'fixture'], 'DRIVER_NOT_INSTALLED'],
    [['bundle', 'fixture'], 'DRIVER_NOT_INSTALLED'],
  ])('%j without the driver end with %s', async (words, code) => {
    expect(await computer.refused(...words)).toMatchObject({ code });
  });

  it("say that there isn't a version to go back to, and none of that number", async () => {
    await computer.drivers('install', 'fixture');
    expect(await computer.refused('rollback', 'fixture')).toMatchObject({ code: 'PACKAGE_NOT_FOUND' });
    expect(await computer.refused('pin', 'fixture', '7.0.0')).toMatchObject({ code: 'PACKAGE_NOT_FOUND' });
    expect(await computer.drivers('list')).toMatchObject({ drivers: [{ version: '1.1.0', pinned: false }] });
  });
});

describe('drivers disable, enable and remove', () => {
  it('keep a driver from being loaded, and let it be again', async () => {
    await computer.drivers('install', 'fixture');
    await computer.json('connections', 'add', '--driver', 'fixture', '--name', 'Box');
    expect(await computer.drivers('disable', 'fixture')).toEqual({ id: 'fixture' });
    expect(await computer.drivers('list')).toMatchObject({ drivers: [{ disabled: true }] });
    expect(await computer.json('tables', 'Box')).toMatchObject({ code: 1, answer: { error: { code: 'DRIVER_DISABLED' } } });
    expect(await computer.drivers('enable', 'fixture')).toEqual({ id: 'fixture' });
    expect(await computer.json('tables', 'Box')).toEqual({ code: 0, answer: { tables: [] } });
  });

  it('remove every version and keep the connections, which install it again', async () => {
    await computer.drivers('install', 'fixture', '--version', '1.0.0');
    await computer.drivers('install', 'fixture');
    await computer.json('connections', 'add', '--driver', 'fixture', '--name', 'Box');
    expect(await computer.drivers('remove', 'fixture')).toEqual({ id: 'fixture' });
    expect(await computer.drivers('list')).toMatchObject({ drivers: [] });
    expect(await readdir(join(computer.home, 'drivers'))).toEqual([]);
    expect(await computer.json('tables', 'Box')).toEqual({ code: 0, answer: { tables: [] } });
    expect(await computer.drivers('list')).toMatchObject({ drivers: [{ version: '1.1.0', current: true }] });
  });
});

describe('drivers bundle and trust', () => {
  it('carry a driver to a computer that is offline, which asks whom it trusts', async () => {
    await computer.drivers('install', 'fixture');
    const file = join(folder, 'fixture.tgz');
    const bundled = await computer.drivers('bundle', 'fixture', file);
    expect(bundled).toEqual({ file, bytes: (await readFile(file)).length });

    const airGapped = newComputer({ TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath });
    await airGapped.drivers('network', '--offline');
    expect(await airGapped.refused('install', 'fixture')).toMatchObject({ code: 'OFFLINE' });
    const { message } = await airGapped.refused('install', '--file', file);
    const fingerprint = fingerprintOf(await keyIdOf(registry.publisher.publicKey));
    expect(message).toContain(fingerprint);
    expect(await airGapped.drivers('list')).toMatchObject({ drivers: [] });
    expect(await airGapped.drivers('trust', fingerprint)).toEqual({
      id: 'local-registry',
      name: 'Local driver registry',
      fingerprint,
      origin: 'thirdParty',
    });
    expect(await airGapped.drivers('install', '--file', file)).toMatchObject({
      id: 'fixture',
      version: '1.1.0',
      current: true,
      publisher: { origin: 'thirdParty', fingerprint },
    });
    await airGapped.json('connections', 'add', '--driver', 'fixture', '--name', 'Box');
    expect(await airGapped.json('tables', 'Box')).toEqual({ code: 0, answer: { tables: [] } });
  });

  it('bundle replaces no file without --overwrite, and no link at all', async () => {
    await computer.drivers('install', 'fixture');
    const mine = join(folder, 'mine.txt');
    const link = join(folder, 'link');
    const own = join(folder, 'fixture-1.1.0.tgz');
    for (const file of [mine, own]) await writeFile(file, 'mine');
    await symlink('mine.txt', link);
    // A file, a link to it, and the name that the host gives in a folder.
    for (const place of [mine, link, folder]) {
      expect(await computer.refused('bundle', 'fixture', place)).toMatchObject({ code: 'FILE_EXISTS' });
      expect(await Promise.all([mine, own].map((file) => readFile(file, 'utf8')))).toEqual(['mine', 'mine']);
    }
    expect(await computer.drivers('bundle', 'fixture', link, '--overwrite')).toMatchObject({ file: link });
    expect(await readlink(link)).toBe('mine.txt');
    expect(await readFile(mine, 'utf8')).not.toBe('mine');
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('install takes no pipe as a file, and says what it is', async () => {
    const pipe = join(folder, 'pipe.tgz');
    execFileSync('mkfifo', [pipe]);
    expect(await computer.refused('install', '--file', pipe)).toMatchObject({ message: `${pipe} is a named pipe, not a file.` });
  });

  it('install says what to do about a file that ends early', async () => {
    await computer.drivers('install', 'fixture');
    const file = join(folder, 'whole.tgz');
    await computer.drivers('bundle', 'fixture', file);
    const cut = join(folder, 'cut.tgz');
    await writeFile(cut, (await readFile(file)).subarray(0, 300));
    expect(await computer.refused('install', '--file', cut)).toMatchObject({
      code: 'PACKAGE_TRUNCATED',
      message: 'cut.tgz ends early.',
      advice: 'Download it again, or copy the file again.',
    });
  });

  it.each([['--version', '1.0.0'], ['--prerelease'], ['--registry', 'http://127.0.0.1:1/']])(
    'install refuses %s beside a file, which holds one version',
    async (...words) => {
      const { code, err } = await computer.run(['drivers', 'install', '--file', 'x.tgz', ...words]);
      expect(code).toBe(2);
      expect(err).toContain(`${words[0] ?? ''} chooses what a registry offers`);
    },
  );

  it.each(['B06X', 'b06-129MiB', 'a b', '../x', 'x'.repeat(41)])(
    'every command says of the driver "%s" that there is none',
    async (id) => {
      const commands = [
        ...['bundle', 'rollback', 'pin', 'unpin', 'enable', 'disable', 'remove', 'unload', 'update', 'options', 'install'].map(
          (word) => ['drivers', word, id],
        ),
        ['drivers', 'allow', id, 'addons'],
        ['drivers', 'allow', id, '--withdraw'],
        ['connections', 'add', '--driver', id, '--name', 'Box'],
      ];
      for (const words of commands) {
        const { code, err } = await computer.run(words);
        expect([words, code]).toEqual([words, 1]);
        expect(err).toContain(id);
        expect(err).toMatch(/is not installed|No registry has a driver/);
        expect(err).not.toMatch(/another form/);
      }
    },
  );

  it('bundle says when it cannot write, and what is not installed', async () => {
    await computer.drivers('install', 'fixture');
    expect(await computer.refused('bundle', 'fixture', join(folder, 'missing', 'x.tgz'))).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('cannot be written') as string,
    });
    expect(await computer.refused('bundle', 'fixture', '--version', '1.0.0')).toMatchObject({ code: 'DRIVER_NOT_INSTALLED' });
    expect((await readdir(folder)).filter((name) => /x\.tgz|part/.test(name))).toEqual([]);
  });

  it('trust lists keys, revokes one, and takes it back', async () => {
    const keyId = await keyIdOf(registry.publisher.publicKey);
    const fingerprint = fingerprintOf(keyId);
    await computer.drivers('install', 'fixture');
    expect(await computer.drivers('trust')).toEqual({ publishers: [{ ...publisher(), keyId, fingerprint }] });
    expect(await computer.drivers('trust', fingerprint, '--revoke')).toEqual({ fingerprint: keyId });
    expect(await computer.drivers('trust')).toMatchObject({ publishers: [{ keyId, revokedAt: expect.any(String) as string }] });
    await computer.json('connections', 'add', '--driver', 'fixture', '--name', 'Box');
    expect(await computer.json('tables', 'Box')).toMatchObject({
      code: 1,
      answer: { error: { code: 'PACKAGE_KEY_REVOKED', message: expect.stringContaining('"fixture" 1.1.0') as string } },
    });
    expect(await computer.refused('install', 'fixture')).toMatchObject({ code: 'PACKAGE_KEY_REVOKED' });
    expect(await computer.drivers('trust', fingerprint)).toMatchObject({ fingerprint });
    expect(await computer.json('tables', 'Box')).toMatchObject({ code: 0 });
    expect(await computer.refused('trust', '0'.repeat(64))).toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('drivers registries', () => {
  const TOKEN = 'a-token-that-stands-nowhere';

  it('install from one that has scopes, a token and no search', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url, token: TOKEN, withoutSearch: true });
    await using other = await createRegistryProxy({ target: registry.url });
    const own = newComputer();
    const words = ['drivers', 'registries', 'add', proxy.url, '--name', 'Acme', '--scope', '@acme', '--token-stdin', '--json'];
    const added = await own.run([...words, '--package', '@acme/tabularium-driver'], `${TOKEN}\n`);
    await own.drivers('registries', 'add', other.url);
    expect(JSON.parse(added.out)).toEqual({
      registries: [
        {
          url: proxy.url,
          name: 'Acme',
          scopes: ['@acme'],
          packages: ['@acme/tabularium-driver'],
          downloadOrigins: [],
          catalogue: { state: 'unsigned' },
          hasCredential: true,
          from: 'settings',
        },
      ],
    });
    expect(await own.drivers('search', 'acme')).toMatchObject({ drivers: [{ id: 'acme', state: 'notInstalled' }] });
    const { message } = await own.refused('install', 'acme');
    expect(message).toContain('whom you have not trusted');
    await own.drivers('trust', fingerprintOf(await keyIdOf(registry.publisher.publicKey)));
    expect(await own.drivers('install', 'acme')).toMatchObject({ id: 'acme', version: '1.0.0' });
    // The scope is asked for at its own registry, and its token goes nowhere else.
    expect(other.asked.filter((line) => line.includes('@acme'))).toEqual([]);
    expect(other.tokens.every((token) => token === undefined)).toBe(true);
    expect(proxy.tokens).toContain(`Bearer ${TOKEN}`);
    for (const entry of await readdir(own.home, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      expect((await readFile(join(entry.parentPath, entry.name))).includes(TOKEN), entry.name).toBe(false);
    }
    expect(await own.drivers('registries', 'remove', proxy.url)).toMatchObject({ registries: [{ url: other.url }] });
    expect([...own.store.values.values()]).toEqual([]);
  });

  it.each([
    [['registries', 'add', 'nowhere'], 'INVALID_REQUEST'],
    [['registries', 'add', 'https://registry.example/', '--scope', 'acme'], 'INVALID_REQUEST'],
    [['network', '--proxy', 'http://ada:secret@proxy.example/'], 'INVALID_REQUEST'],
    [['network', '--proxy', 'nowhere'], 'INVALID_REQUEST'],
  ])('refuse %j with %s', async (words, code) => {
    expect(await computer.refused(...words)).toMatchObject({ code });
  });
});
