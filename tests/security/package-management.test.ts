import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSigningKey, fingerprintOf, keyIdOf, PACKAGE_LIMITS } from '@tabularium/sdk/package';
import type { SigningKey } from '@tabularium/sdk/package';
import { packPackage, signPackage } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../../host/src/common/errors.ts';
import type { OpenSession } from '../../host/src/runtime/data/sessions.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { archiveOf } from './packageArchive.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';

const acme = { id: 'acme', name: 'Acme Databases' };
const never = new AbortController().signal;

let registry: RunningRegistry;
let key: SigningKey;
let host: PackageHost;
let folder: string;

beforeAll(async () => {
  [registry, key, folder] = await Promise.all([
    createRegistry(),
    createSigningKey(),
    mkdtemp(join(tmpdir(), 'tabularium-files-')),
  ]);
  for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) await registry.publish(tinyDriver({ version }));
});
afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  host = await createPackageHost({ registryFile: registry.registryJsonPath });
});
afterEach(() => host.close());

async function update(id: string): Promise<void> {
  for await (const step of host.management.update(id, never)) expect(step).toBeDefined();
}

/** An open connection, as the host sees it. */
function opened(name: string, driver: string, driverVersion: string): OpenSession {
  return { connection: { id: name, name, driver }, driverVersion } as OpenSession;
}

async function overviewOf(id: string) {
  const found = (await host.management.overview()).drivers.find((driver) => driver.id === id);
  if (found === undefined) throw new Error(`${id} is not listed.`);
  return found;
}

/** A signed archive, as somebody carries it. */
async function archive(options: Parameters<typeof tinyDriver>[0] = {}): Promise<Buffer> {
  return (await packPackage(await signPackage(tinyDriver(options), acme, key))).tarball;
}

describe('updates', () => {
  it('bring the newest version and say which open connections keep the old one', async () => {
    await host.install('tiny', '1.0.0');
    expect(await overviewOf('tiny')).toMatchObject({ state: 'updateAvailable', updateOffered: true, availableVersion: '1.3.0' });
    host.sessions.push(opened('Sample', 'tiny', '1.0.0'));
    await update('tiny');
    expect(await overviewOf('tiny')).toMatchObject({
      installedVersion: '1.3.0',
      updateOffered: false,
      oldSessions: ['Sample'],
      versions: [
        { version: '1.3.0', current: true, usedBy: [] },
        { version: '1.0.0', current: false, usedBy: ['Sample'] },
      ],
    });
    await host.management.applyToOpen('tiny');
    expect(await overviewOf('tiny')).toMatchObject({ oldSessions: [] });
  });

  it('leave a pinned driver where it is, and are offered again when it is unpinned', async () => {
    await host.install('tiny', '1.0.0');
    await host.management.pin('tiny', '1.1.0', never);
    expect(await overviewOf('tiny')).toMatchObject({ installedVersion: '1.1.0', pinned: '1.1.0', updateOffered: false });
    expect(await host.management.updatable()).toEqual([]);
    await expect(update('tiny')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
    host.management.unpin('tiny');
    expect(await host.management.updatable()).toEqual(['tiny']);
  });

  it('never go back: a pre-release that somebody asked for stays', async () => {
    await registry.publish(tinyDriver({ version: '1.4.0-beta.1' }));
    await host.install('tiny', '1.4.0-beta.1');
    await update('tiny');
    expect(host.installed.currentInfo('tiny')).toMatchObject({ version: '1.4.0-beta.1' });
    expect(await overviewOf('tiny')).toMatchObject({ updateOffered: false });
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'DRIVER_DOWNGRADE' });
    expect(host.installed.currentInfo('tiny')).toMatchObject({ version: '1.4.0-beta.1' });
  });

  it('move a pin with the version that a person asks for by its number', async () => {
    await host.install('tiny', '1.0.0');
    await host.management.pin('tiny', undefined, never);
    await host.install('tiny', '1.2.0');
    expect(await overviewOf('tiny')).toMatchObject({ pinned: '1.2.0', installedVersion: '1.2.0' });
  });

  it('keep the last three versions, and longer what a session uses', async () => {
    await host.install('tiny', '1.0.0');
    host.sessions.push(opened('Sample', 'tiny', '1.0.0'));
    for (const version of ['1.1.0', '1.2.0', '1.3.0']) await host.install('tiny', version);
    expect(host.records.list().map(({ version }) => version)).toEqual(['1.0.0', '1.1.0', '1.2.0', '1.3.0']);
    host.sessions.splice(0);
    await host.install('tiny', '1.3.0');
    expect(host.records.list().map(({ version }) => version)).toEqual(['1.1.0', '1.2.0', '1.3.0']);
    expect(await host.files()).not.toContain('tiny/1.0.0');
  });
});

describe('rolling back', () => {
  it('returns to the previous version, and updates skip the version that was left', async () => {
    await host.install('tiny', '1.2.0');
    await update('tiny');
    expect(await overviewOf('tiny')).toMatchObject({ installedVersion: '1.3.0', rollbackTo: '1.2.0' });
    expect(await host.management.rollback('tiny')).toMatchObject({ version: '1.2.0', current: true });
    const left = await overviewOf('tiny');
    expect(left).toMatchObject({ state: 'updateAvailable', updateOffered: false });
    expect(left.rollbackTo).toBeUndefined();
    expect(await host.management.updatable()).toEqual([]);
    await update('tiny');
    expect(await overviewOf('tiny')).toMatchObject({ installedVersion: '1.3.0', rollbackTo: '1.2.0' });
  });

  it('survives a restart', async () => {
    await host.install('tiny', '1.2.0');
    await update('tiny');
    await host.management.rollback('tiny');
    await host.stop();
    host = await createPackageHost({ registryFile: registry.registryJsonPath, home: host.home });
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.2.0' });
    expect(await overviewOf('tiny')).toMatchObject({ updateOffered: false });
  });

  it('says that there is nothing to go back to', async () => {
    await host.install('tiny');
    await expect(host.management.rollback('tiny')).rejects.toMatchObject({ code: 'PACKAGE_NOT_FOUND' });
    await expect(host.management.rollback('absent')).rejects.toMatchObject({ code: 'DRIVER_NOT_INSTALLED' });
  });
});

describe('a driver that is switched off', () => {
  it('is not loaded until it is switched on, and its connections are closed', async () => {
    await host.install('tiny');
    host.sessions.push(opened('Sample', 'tiny', '1.3.0'));
    await host.management.disable('tiny');
    expect({ sessions: host.sessions, stopped: host.stopped }).toEqual({ sessions: [], stopped: ['tiny 1.3.0'] });
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_DISABLED' });
    expect(await overviewOf('tiny')).toMatchObject({ disabled: true, state: 'cannotRun', updateOffered: false });
    await host.management.enable('tiny');
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.3.0' });
  });

  it('stays off when it does not pass the checks of a load', async () => {
    const { folder: place } = await host.install('tiny');
    await host.management.disable('tiny');
    await host.stop();
    await writeFile(join(place, 'dist/index.js'), 'changed');
    host = await createPackageHost({ registryFile: registry.registryJsonPath, home: host.home });
    await expect(host.management.enable('tiny')).rejects.toMatchObject({ code: 'PACKAGE_SIGNATURE_INVALID' });
    expect(await overviewOf('tiny')).toMatchObject({ disabled: true });
  });
});

describe('removing a driver', () => {
  it('takes every version and every choice with it', async () => {
    await host.install('tiny', '1.0.0');
    await host.install('tiny');
    await host.management.pin('tiny', undefined, never);
    host.sessions.push(opened('Sample', 'tiny', '1.0.0'));
    await host.management.remove('tiny');
    expect(host.records.list()).toEqual([]);
    expect(host.sessions).toEqual([]);
    expect(host.stopped.toSorted()).toEqual(['tiny 1.0.0', 'tiny 1.3.0']);
    expect(await host.files()).toEqual([]);
    expect(await overviewOf('tiny')).toMatchObject({ state: 'notInstalled', versions: [] });
    expect(host.choices.pinned('tiny')).toBeUndefined();
  });
});

describe('a driver from a file', () => {
  it('passes the same checks: unknown key, then trusted, then in its place', async () => {
    const file = join(folder, 'acme-db.tgz');
    await writeFile(file, await archive({ id: 'acme-db' }));
    const error: unknown = await host.management.installFile(file, never).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'PACKAGE_KEY_UNKNOWN',
      question: { publisher: acme, driver: { id: 'acme-db', version: '1.0.0' }, permissions: { files: [] } },
    });
    expect(await host.files()).toEqual([]);
    await host.management.trustKey(await keyIdOf(key.publicKey));
    expect(await host.management.installFile(file, never)).toMatchObject({ id: 'acme-db', publisher: { origin: 'thirdParty' } });
    expect(await host.installed.current('acme-db')).toMatchObject({ version: '1.0.0' });
  });

  it.each([
    ['changed after signing', 'PACKAGE_SIGNATURE_INVALID'],
    ['unsigned', 'PACKAGE_UNSIGNED'],
    ['cut off', 'PACKAGE_TRUNCATED'],
    ['no archive', 'PACKAGE_INVALID'],
    ['one with a path that climbs', 'PACKAGE_INVALID'],
    ['one with a link', 'PACKAGE_INVALID'],
    ['a bomb', 'PACKAGE_INVALID'],
    ['signed by another key in the name of the trusted one', 'PACKAGE_KEY_UNKNOWN'],
    ['made for another contract', 'DRIVER_NOT_COMPATIBLE'],
  ])('is refused when it is %s', async (what, code) => {
    await host.trust.trust({ ...acme, publicKey: key.publicKey });
    const files = await signPackage(tinyDriver({ id: 'acme-db' }), acme, key);
    const bytes = await archive({ id: 'acme-db' });
    const honest = Array.from(files, ([path, content]) => ({ path: `package/${path}`, content }));
    const other = await createSigningKey();
    const tarball = {
      'changed after signing': async () =>
        (await packPackage(new Map(files).set('dist/index.js', new TextEncoder().encode('export const driver = 1;')))).tarball,
      unsigned: async () => (await packPackage(tinyDriver({ id: 'acme-db' }))).tarball,
      'cut off': async () => bytes.subarray(0, bytes.length - 200),
      'no archive': async () => Buffer.from('something else'),
      'one with a path that climbs': async () => archiveOf([...honest, { path: 'package/../../escaped.js', content: 'x' }]),
      'one with a link': async () =>
        archiveOf([...honest, { path: 'package/dist/passwd', type: 'SymbolicLink', linkpath: '/etc/passwd' }]),
      'a bomb': async () => archiveOf([...honest, { path: 'package/dist/bomb.js', content: Buffer.alloc(40 * 1024 * 1024) }]),
      'signed by another key in the name of the trusted one': async () =>
        (await packPackage(await signPackage(tinyDriver({ id: 'acme-db' }), acme, other))).tarball,
      'made for another contract': () => archive({ id: 'acme-db', sdk: '^2.0' }),
    }[what];
    await expect(host.management.installArchive(await tarball!(), 'picked.tgz', never)).rejects.toMatchObject({ code });
    expect(await host.files()).toEqual([]);
  });

  it('may not take the type of a driver that is another package', async () => {
    await host.install('tiny');
    await host.trust.trust({ ...acme, publicKey: key.publicKey });
    const posing = await archive({ id: 'tiny', name: '@acme/tiny', version: '9.0.0' });
    await expect(host.management.installArchive(posing, 'posing.tgz', never)).rejects.toMatchObject({ code: 'PACKAGE_INVALID' });
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.3.0' });
  });

  it('goes to another machine as it was signed', async () => {
    await host.install('tiny');
    const { file, bytes } = await host.management.bundleTo('tiny', undefined, folder);
    expect(file).toBe(join(folder, 'tiny-1.3.0.tgz'));
    expect((await stat(file)).size).toBe(bytes);
    const other = await createPackageHost();
    try {
      await other.trust.trust(registry.publisher);
      await other.management.installFile(file, never);
      expect(await other.installed.current('tiny')).toMatchObject({ version: '1.3.0', publisher: { origin: 'thirdParty' } });
    } finally {
      await other.close();
    }
  });
});

describe("a developer's folder", () => {
  /** A driver as its author has it: with scripts, development dependencies, and things that are none of the host's business. */
  async function sourceFolder(code?: string): Promise<string> {
    const source = await mkdtemp(join(folder, 'source-'));
    for (const [path, bytes] of tinyDriver({
      packageJson: { scripts: { prepare: 'build' }, devDependencies: { vite: '8' }, private: true },
      files: { 'node_modules/secret/index.js': 'never read', '.env': 'KEY=1' },
      ...(code === undefined ? {} : { code }),
    })) {
      await mkdir(dirname(join(source, path)), { recursive: true });
      await writeFile(join(source, path), bytes);
    }
    return source;
  }

  it('is loaded in place of the installed driver, and is marked wherever it shows', async () => {
    await host.install('tiny');
    const source = await sourceFolder();
    const info = await host.management.loadFolder(source, never);
    expect(info).toMatchObject({
      id: 'tiny',
      version: expect.stringMatching(/^1\.0\.0\+folder\.[0-9a-f]{8}$/) as string,
      current: true,
      developerFolder: source,
      publisher: { origin: 'developerFolder', fingerprint: '' },
    });
    const driver = await host.installed.current('tiny');
    expect(driver.version).toBe(info.version);
    expect(await overviewOf('tiny')).toMatchObject({ developerFolder: source, state: 'installed', updateOffered: false });
    expect((await host.files()).filter((path) => path.includes('secret') || path.includes('.env'))).toEqual([]);

    await writeFile(
      join(source, 'dist/index.js'),
      await readFile(join(source, 'dist/index.js'), 'utf8').then((text) => `${text}//`),
    );
    expect((await host.installed.current('tiny')).version).not.toBe(info.version);

    await host.management.forgetFolder('tiny');
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.3.0', publisher: { origin: 'localRegistry' } });
  });

  it('is refused when the driver does not start, or is none', async () => {
    host.trialLoader.behaviour = () => Promise.reject(new HostError('INTERNAL', 'It fell over.'));
    await expect(host.management.loadFolder(await sourceFolder(), never)).rejects.toMatchObject({
      code: 'PACKAGE_FAILED_TRIAL',
      message: expect.stringContaining('It fell over.') as string,
    });
    await expect(host.management.loadFolder(folder, never)).rejects.toMatchObject({ code: 'PACKAGE_INVALID' });
    await expect(host.management.loadFolder(join(folder, 'absent'), never)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(host.installed.list()).toEqual([]);
  });

  const outside = "a private file of the person's";

  it.each(['README.md', 'readme.md', 'package.json', 'dist/index.js', 'dist/data.json', 'dist', 'dist/deep'])(
    'brings no file of elsewhere to a driver through a link: %s',
    async (place) => {
      const source = await sourceFolder();
      const target = join(await mkdtemp(join(folder, 'outside-')), 'target');
      const taken = await readFile(join(source, 'dist/index.js'));
      if (place.endsWith('dist') || place.endsWith('deep')) {
        await mkdir(target);
        await writeFile(join(target, 'private.json'), outside);
        await writeFile(join(target, 'index.js'), taken);
      } else {
        const copied = await readFile(join(source, place)).catch(() => Buffer.from(outside));
        await writeFile(target, copied);
      }
      await rm(join(source, place), { recursive: true, force: true });
      await symlink(target, join(source, place));
      await expect(host.management.loadFolder(source, never)).rejects.toMatchObject({
        code: 'PACKAGE_INVALID',
        message: expect.stringContaining('is a link or a device') as string,
      });
      expect(await host.files()).toEqual([]);
    },
  );

  it.each(process.platform === 'win32' ? [] : ['README.md', 'package.json', 'dist/index.js', 'dist/data.json'])(
    'is refused at once where a file never ends: %s',
    async (place) => {
      for (const make of [(file: string) => execFileSync('mkfifo', [file]), (file: string) => symlink('/dev/zero', file)]) {
        const source = await sourceFolder();
        await rm(join(source, place), { force: true });
        await make(join(source, place));
        await expect(host.management.loadFolder(source, never)).rejects.toMatchObject({ code: 'PACKAGE_INVALID' });
      }
    },
  );

  it.each(['README.md', 'package.json', 'dist/index.js'])('is refused where a file is too large: %s', async (place) => {
    const source = await sourceFolder();
    await writeFile(join(source, place), '');
    await truncate(join(source, place), PACKAGE_LIMITS.fileBytes + 1);
    await expect(host.management.loadFolder(source, never)).rejects.toMatchObject({
      code: 'PACKAGE_INVALID',
      message: expect.stringContaining('is larger than') as string,
    });
  });

  it('is refused in the data directory, also through a link', async () => {
    await host.install('tiny');
    const installed = (await host.installed.current('tiny')).folder;
    const link = join(folder, 'into-the-data-directory');
    await symlink(installed, link);
    for (const path of [installed, link])
      await expect(host.management.loadFolder(path, never)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('that went bad after it was loaded keeps nothing else from being listed', async () => {
    await host.install('tiny');
    const source = await sourceFolder();
    await host.management.loadFolder(source, never);
    await rm(join(source, 'package.json'));
    await symlink('/dev/zero', join(source, 'package.json'));
    expect((await host.management.overview()).drivers.map(({ id }) => id)).toContain('tiny');
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'PACKAGE_INVALID' });
    await host.management.forgetFolder('tiny');
  });

  it('is refused by the policy, also when it was loaded before', async () => {
    const source = await sourceFolder();
    await host.management.loadFolder(source, never);
    await host.stop();
    host = await createPackageHost({
      home: host.home,
      policy: async () => ({ formatVersion: 1, offline: false, developerFolders: false }),
    });
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'POLICY_FORBIDS' });
    await expect(host.management.loadFolder(source, never)).rejects.toMatchObject({ code: 'POLICY_FORBIDS' });
  });

  it("can't be transferred without a signature", async () => {
    await host.management.loadFolder(await sourceFolder(), never);
    await expect(host.management.bundle('tiny')).rejects.toMatchObject({ code: 'PACKAGE_UNSIGNED' });
  });
});

describe('keys', () => {
  it('are listed with where their trust comes from, and can be revoked and restored', async () => {
    await host.install('tiny');
    const keyId = await keyIdOf(registry.publisher.publicKey);
    expect(await host.management.keys()).toMatchObject([{ keyId, origin: 'localRegistry', fingerprint: fingerprintOf(keyId) }]);
    host.sessions.push(opened('Sample', 'tiny', '1.3.0'));
    await host.management.revokeKey(keyId);
    // Running work ends, too: sessions, and the process that serves them.
    expect({ sessions: host.sessions, stopped: host.stopped }).toEqual({ sessions: [], stopped: ['tiny 1.3.0'] });
    expect(await host.management.keys()).toMatchObject([{ keyId, revokedAt: expect.any(String) as string }]);
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'PACKAGE_KEY_REVOKED' });
    expect(await overviewOf('tiny')).toMatchObject({ fault: expect.stringContaining('revoked') as string });
    await host.management.trustKey(keyId);
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.3.0' });
  });

  it('of the local registry counts for a file too, once somebody was asked about one', async () => {
    await host.install('tiny');
    const { file } = await host.management.bundleTo('tiny', undefined, folder, true);
    await host.management.remove('tiny');
    const keyId = await keyIdOf(registry.publisher.publicKey);
    // The person was not asked yet: nothing changes by it.
    expect(await host.management.trustKey(keyId)).toMatchObject({ origin: 'localRegistry' });
    await expect(host.management.installFile(file, never)).rejects.toMatchObject({ code: 'PACKAGE_KEY_UNKNOWN' });
    expect(await host.management.trustKey(keyId)).toMatchObject({ origin: 'thirdParty' });
    expect(await host.management.installFile(file, never)).toMatchObject({ id: 'tiny', publisher: { origin: 'thirdParty' } });
  });

  it("that was never shown can't be trusted by their fingerprint alone", async () => {
    await expect(host.management.trustKey('0'.repeat(64))).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('of another publisher than the installed version has are asked about, and the question says so', async () => {
    await host.install('tiny', '1.0.0');
    const forged = await archive({ version: '1.4.0' });
    await expect(host.management.installArchive(forged, 'tiny.tgz', never)).rejects.toMatchObject({
      code: 'PACKAGE_KEY_UNKNOWN',
      question: { before: { name: 'Local driver registry' } },
    });
  });
});
