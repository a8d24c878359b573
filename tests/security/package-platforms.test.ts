import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigningKey, PLATFORM_LIMITS } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { LOCAL_PUBLISHER, packPackage, signPackage } from '@tabularium/registry';
import type { PackedDriver, RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../../host/src/common/errors.ts';
import type { InstallProgress } from '../../host/src/common/drivers.ts';
import { nativeDriver, platformPackage, TEST_PLATFORM } from './nativeDriver.ts';
import { archiveOf, packedAs } from './packageArchive.ts';
import type { ArchiveEntry } from './packageArchive.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';
import { signUnchecked } from './packageSigner.ts';

const never = new AbortController().signal;

let registry: RunningRegistry;
let host: PackageHost;
let folder: string;
let number = 0;
let id: string;

beforeAll(async () => {
  registry = await createRegistry();
});
afterAll(() => registry.close());
beforeEach(async () => {
  id = `native-${(number += 1)}`;
  folder = await mkdtemp(join(tmpdir(), 'tabularium-platforms-'));
  host = await createPackageHost({ registryFile: registry.registryJsonPath, platform: TEST_PLATFORM });
});
afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

const signed = (files: PackageFiles): Promise<PackageFiles> => signUnchecked(files, LOCAL_PUBLISHER, registry.signingKey);
const packed = async (files: PackageFiles): Promise<PackedDriver> => packPackage(await signed(files));
const entriesOf = (files: PackageFiles): ArchiveEntry[] =>
  Array.from(files, ([path, content]) => ({ path: `package/${path}`, content }));

/** Publishes a driver and the platform package as they are given. */
async function publish(driver: PackageFiles, platform?: PackedDriver): Promise<void> {
  if (platform !== undefined) await registry.publishPacked(platform);
  await registry.publishPacked(await packed(driver));
}

/** Publishes a good driver with its platform packages. */
async function publishGood(version = '1.0.0', native = `native code of ${version}`): Promise<PackageFiles> {
  const driver = nativeDriver({ id, version });
  const parts = [TEST_PLATFORM, 'win32-x64'].map(
    (platform) =>
      [platform, platformPackage(driver, platform, { files: { 'native.node': native, 'lib/more.so': platform } })] as const,
  );
  await registry.publish(driver, new Map(parts));
  return driver;
}

/** Installs with the grants that a person gives. */
async function install(target = host, version?: string): Promise<Awaited<ReturnType<PackageHost['install']>>> {
  await target.install(id, version).catch((error: unknown) => {
    if (!(error instanceof HostError) || error.code !== 'GRANT_NEEDED') throw error;
    target.management.allowGrants(id, ['addons']);
  });
  return target.install(id, version);
}

/** Installs, expects a refusal with this code and sentence, and that nothing of the package is anywhere. */
async function refused(code: string, message: string | RegExp, work: () => Promise<unknown> = () => install()): Promise<void> {
  const error: unknown = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'HostError', code });
  expect((error as Error).message).toMatch(message);
  expect(await host.files()).toEqual([]);
  expect(host.records.list()).toEqual([]);
  expect(host.trialLoader.tried).toEqual([]);
}

describe('a driver with files for platforms', () => {
  it('gets those of this platform beside its own, at the same place on every platform', async () => {
    await publishGood();
    const { folder: place } = await install();
    expect(
      (await readdir(place, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'index.js',
      'more.so',
      'native.node',
      'package.json',
      'package.json',
      'tabularium.signature.json',
      'tabularium.signature.json',
    ]);
    expect(await readFile(join(place, 'platform/lib/more.so'), 'utf8')).toBe(TEST_PLATFORM);
    expect(host.trialLoader.tried).toMatchObject([{ id, allowedGrants: ['addons'] }]);
    expect(await readdir(host.folders.staging).catch(() => [])).toEqual([]);
  });

  it('gets those of another platform there', async () => {
    await publishGood();
    await using windows = await disposable({ registryFile: registry.registryJsonPath, platform: 'win32-x64' });
    const { folder: place } = await install(windows.host);
    expect(await readFile(join(place, 'platform/lib/more.so'), 'utf8')).toBe('win32-x64');
  });

  it('reports the progress of both downloads', async () => {
    await publishGood();
    await host.install(id).catch(() => host.management.allowGrants(id, ['addons']));
    const steps: InstallProgress['step'][] = [];
    await host.installer.install(id, { signal: never, onProgress: ({ step }) => steps.push(step) });
    expect(steps.filter((step, index) => step !== steps[index - 1])).toEqual([
      'resolving',
      'downloading',
      'verifying',
      'downloading',
      'verifying',
      'tryingOut',
      'installed',
    ]);
  });

  it('is refused before anything is downloaded where it has none, and its entry says which it has', async () => {
    await publishGood();
    await using other = await disposable({ registryFile: registry.registryJsonPath, platform: 'linux-x64-musl' });
    await expect(other.host.install(id)).rejects.toMatchObject({
      code: 'DRIVER_NOT_FOR_PLATFORM',
      message: 'Version 1.0.0 has no files for this computer (linux-x64-musl). It runs on: linux-x64, win32-x64.',
    });
    const { drivers } = await other.host.management.overview();
    expect(drivers.find((driver) => driver.id === id)).toMatchObject({
      state: 'cannotRun',
      reason: expect.stringContaining('It runs on: linux-x64, win32-x64.') as string,
    });
    expect((await other.host.management.details(id)).offered).toMatchObject([
      { version: '1.0.0', reason: expect.any(String) as string },
    ]);
    const { tarball } = await packed(nativeDriver({ id }));
    await expect(other.host.management.installArchive(tarball, 'driver.tgz', never)).rejects.toMatchObject({
      code: expect.stringMatching(/PACKAGE_KEY_UNKNOWN|DRIVER_NOT_FOR_PLATFORM/) as string,
    });
  });

  it('takes the newest version that has files for this platform', async () => {
    await publishGood('1.0.0');
    const later = nativeDriver({ id, version: '1.1.0', platforms: ['win32-x64'] });
    await publish(later, await packed(platformPackage(later, 'win32-x64')));
    expect(await install()).toMatchObject({ version: '1.0.0' });
  });

  it('is updated, rolled back and removed with its files', async () => {
    await publishGood('1.0.0');
    await install();
    await publishGood('1.1.0');
    for await (const step of host.management.update(id, never)) expect(step).toBeDefined();
    const { folder: newer } = await host.installed.current(id);
    expect(await readFile(join(newer, 'platform/native.node'), 'utf8')).toBe('native code of 1.1.0');
    await host.management.rollback(id);
    const { folder: older } = await host.installed.current(id);
    expect(await readFile(join(older, 'platform/native.node'), 'utf8')).toBe('native code of 1.0.0');
    await host.management.pin(id, '1.1.0', never);
    expect(await host.installed.current(id)).toMatchObject({ version: '1.1.0' });
    await host.management.remove(id);
    expect(await host.files()).toEqual([]);
  });

  it('is out of use once the registry has revoked the files of this platform', async () => {
    const driver = await publishGood();
    await install();
    const { name } = JSON.parse(new TextDecoder().decode(driver.get('package.json'))) as { name: string };
    const bad = { package: `${name}-${TEST_PLATFORM}`, version: '1.0.0', reason: 'It leaks.' };
    await registry.catalogue.revoke({ versions: [bad] });
    await host.catalogue.refresh(never);
    await expect(host.installed.current(id)).rejects.toMatchObject({ code: 'DRIVER_REVOKED' });
    expect(await host.installed.isRevoked(id)).toBe(true);
    await host.management.remove(id);
    host.trialLoader.tried.splice(0);
    await refused('DRIVER_REVOKED', /linux-x64 1\.0\.0.*It leaks\./);
  });

  it('is adopted with them by a new database', async () => {
    await publishGood();
    await install();
    const { home } = host;
    await host.stop();
    for (const name of await readdir(home)) if (name.startsWith('tabularium.db')) await rm(join(home, name));
    host = await createPackageHost({ registryFile: registry.registryJsonPath, platform: TEST_PLATFORM, home });
    expect(host.records.list()).toMatchObject([{ id, version: '1.0.0' }]);
    await host.stop();
    for (const name of await readdir(home)) if (name.startsWith('tabularium.db')) await rm(join(home, name));
    // A home that was copied to a machine with another C library.
    host = await createPackageHost({ registryFile: registry.registryJsonPath, platform: 'linux-x64-musl', home });
    expect(host.records.list()).toEqual([]);
  });
});

describe('the files of a platform', () => {
  const name = (): string => `@tabularium-test/driver-${id}-${TEST_PLATFORM}`;

  it('are missing in the registry', async () => {
    await publish(nativeDriver({ id }));
    await refused('PLATFORM_FILES_MISSING', /has no @tabularium-test\/driver-native-\d+-linux-x64 1\.0\.0, which holds/);
  });

  it('are missing in the version of the driver', async () => {
    const older = nativeDriver({ id, version: '0.9.0' });
    await publish(nativeDriver({ id }), await packed(platformPackage(older, TEST_PLATFORM)));
    await refused('PLATFORM_FILES_MISSING', /linux-x64 1\.0\.0, which holds/);
  });

  it('are signed by another key', async () => {
    const driver = nativeDriver({ id });
    const other = { id: 'other', name: 'Other' };
    const key = await createSigningKey();
    // The person trusts this key for its own drivers.
    await host.trust.trust({ ...other, publicKey: key.publicKey });
    const foreign = await signUnchecked(platformPackage(driver, TEST_PLATFORM), other, key);
    await publish(driver, await packPackage(foreign));
    await refused('PACKAGE_SIGNATURE_INVALID', `${name()} 1.0.0 is signed by another key than`);
  });

  it('are not signed', async () => {
    const driver = nativeDriver({ id });
    await publish(driver, await packPackage(platformPackage(driver, TEST_PLATFORM)));
    await refused('PACKAGE_UNSIGNED', `${name()} 1.0.0: The package has no`);
  });

  it('are those of another version, under this number in the registry', async () => {
    const driver = nativeDriver({ id });
    const good = await packed(platformPackage(driver, TEST_PLATFORM));
    const older = await packed(platformPackage(nativeDriver({ id, version: '0.9.0' }), TEST_PLATFORM));
    await publish(driver, packedAs(good, older.tarball));
    await refused('PACKAGE_TAMPERED', new RegExp(`In place of ${name()} 1\\.0\\.0 came .* 0\\.9\\.0`));
  });

  it('are those of another driver', async () => {
    const driver = nativeDriver({ id });
    const good = await packed(platformPackage(driver, TEST_PLATFORM));
    const other = await packed(platformPackage(nativeDriver({ id: 'other' }), TEST_PLATFORM));
    await publish(driver, packedAs(good, other.tarball));
    await refused('PACKAGE_TAMPERED', /came @tabularium-test\/driver-other-linux-x64 1\.0\.0/);
  });

  it('are for another platform', async () => {
    const driver = nativeDriver({ id });
    const good = await packed(platformPackage(driver, TEST_PLATFORM));
    const other = await packed(platformPackage(driver, 'win32-x64'));
    await publish(driver, packedAs(good, other.tarball));
    await refused('PACKAGE_INVALID', /holds files for win32-x64, and this computer is linux-x64/);
  });

  it.each([
    ['os', ['win32']],
    ['cpu', ['arm64']],
    ['libc', ['musl']],
  ])('contradict their own name by "%s"', async (field, value) => {
    const driver = nativeDriver({ id });
    await publish(driver, await packed(platformPackage(driver, TEST_PLATFORM, { packageJson: { [field]: value } })));
    await refused('PACKAGE_INVALID', new RegExp(`package\\.json says "${field}"`));
  });

  it.each([
    ['leads out of the package', { path: 'package/../dist/index.js', content: 'evil' }, /isn't an allowed path/],
    ['is absolute', { path: '/tmp/tabularium-evil', content: 'evil' }, /lies outside package/],
    ['lies beside the package', { path: 'elsewhere/x.node', content: 'evil' }, /lies outside package/],
    ['is a link', { path: 'package/x.node', type: 'SymbolicLink', linkpath: '/etc/passwd' }, /SymbolicLink/],
    ['is there twice', { path: 'package/native.node', content: 'evil' }, /twice/],
    ['differs in letter case only', { path: 'package/NATIVE.node', content: 'evil' }, /letter case/],
  ] as const)('are refused with an entry that %s', async (_what, entry, message) => {
    const driver = nativeDriver({ id });
    const good = await packed(platformPackage(driver, TEST_PLATFORM));
    await publish(driver, packedAs(good, archiveOf([...entriesOf(good.files), entry])));
    await refused('PACKAGE_INVALID', message);
  });

  it('may have the names of the driver’s own files, and replace none of them', async () => {
    const driver = nativeDriver({ id });
    const part = platformPackage(driver, TEST_PLATFORM, { files: { 'dist/index.js': 'evil' } });
    await publish(driver, await packed(part));
    const { folder: place } = await install();
    expect(await readFile(join(place, 'dist/index.js'), 'utf8')).not.toBe('evil');
    expect(JSON.parse(await readFile(join(place, 'package.json'), 'utf8'))).toMatchObject({ tabularium: { id } });
    expect(await readFile(join(place, 'platform/dist/index.js'), 'utf8')).toBe('evil');
  });

  it('are refused where a file of them was added, changed or left out after they were signed', async () => {
    const driver = nativeDriver({ id });
    const good = await packed(platformPackage(driver, TEST_PLATFORM));
    const changes: readonly ((files: Map<string, Uint8Array<ArrayBuffer>>) => void)[] = [
      (files) => files.set('more.node', new Uint8Array([1])),
      (files) => files.set('native.node', new Uint8Array([1])),
      (files) => files.delete('native.node'),
    ];
    let version = 0;
    for (const change of changes) {
      const files = new Map(good.files);
      change(files);
      id = `changed-${(version += 1)}-${number}`;
      const other = nativeDriver({ id });
      const packedOther = await packed(platformPackage(other, TEST_PLATFORM));
      await publish(other, packedAs(packedOther, archiveOf(entriesOf(files))));
      await refused('PACKAGE_SIGNATURE_INVALID', /not signed|not the one that was signed|is missing/);
    }
  });

  it.each([
    ['too large a file', [PLATFORM_LIMITS.fileBytes + 1], /native-0\.node" is larger than/],
    ['too large files', [PLATFORM_LIMITS.fileBytes, PLATFORM_LIMITS.fileBytes, 1], /together are larger than|unpacks to more/],
    ['too many files', Array.from({ length: PLATFORM_LIMITS.files + 1 }, () => 1), /more than 64 files/],
  ])('are refused with %s, without being held in memory', async (_what, sizes, message) => {
    const driver = nativeDriver({ id });
    const good = await packed(platformPackage(driver, TEST_PLATFORM));
    const entries = sizes.map((size, index) => ({ path: `package/native-${index}.node`, content: new Uint8Array(size) }));
    await publish(driver, packedAs(good, archiveOf(entries)));
    await refused('PACKAGE_INVALID', message);
  });

  it('are larger than a driver’s own files may be, and are read piece by piece', async () => {
    const driver = nativeDriver({ id });
    const large = new Uint8Array(120 * 1024 * 1024);
    await publish(driver, await packed(platformPackage(driver, TEST_PLATFORM, { files: { 'native.node': large } })));
    await host.install(id).catch(() => host.management.allowGrants(id, ['addons']));
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 5);
    await host.install(id);
    await host.stop();
    host = await createPackageHost({ registryFile: registry.registryJsonPath, platform: TEST_PLATFORM, home: host.home });
    await host.installed.current(id);
    clearInterval(watch);
    // In memory it would be there twice, packed as a file and unpacked as another; the rest is what the engine hasn't collected yet.
    expect(most).toBeLessThan(100 * 1024 * 1024);
  });

  it('are announced by the registry without an SHA-512, or changed on the way', async () => {
    const driver = nativeDriver({ id });
    const good = await packed(platformPackage(driver, TEST_PLATFORM));
    await publish(driver, { ...good, tarball: archiveOf([{ path: 'package/x', content: 'y' }]) });
    await refused('PACKAGE_TAMPERED', /do not have the SHA-512|lists another archive/);
  });

  it('are verified again before the first load of each run', async () => {
    await publishGood();
    const { folder: place } = await install();
    const damages: readonly (() => Promise<unknown>)[] = [
      () => writeFile(join(place, 'platform/native.node'), 'evil'),
      () => writeFile(join(place, 'platform/added.node'), 'evil'),
      () => rm(join(place, 'platform/lib/more.so')),
      () => rm(join(place, 'platform/tabularium.signature.json')),
      () => rm(join(place, 'platform'), { recursive: true }),
      async () => {
        await rm(join(place, 'platform/native.node'));
        await symlink('/bin/true', join(place, 'platform/native.node'));
      },
    ];
    for (const damage of damages) {
      await damage();
      const { home } = host;
      await host.stop();
      host = await createPackageHost({ registryFile: registry.registryJsonPath, platform: TEST_PLATFORM, home });
      await expect(host.installed.current(id)).rejects.toMatchObject({ code: 'PACKAGE_SIGNATURE_INVALID' });
      // Installing it again repairs it.
      await install();
      expect(await host.installed.current(id)).toMatchObject({ version: '1.0.0' });
    }
  });

  it('of another version, signed by the same key, are noticed in place of those that were installed', async () => {
    await publishGood('1.0.0');
    const { folder: older } = await install(host, '1.0.0');
    await publishGood('1.1.0');
    const { folder: newer } = await install(host, '1.1.0');
    await rm(join(newer, 'platform'), { recursive: true });
    const { cp } = await import('node:fs/promises');
    await cp(join(older, 'platform'), join(newer, 'platform'), { recursive: true });
    const { home } = host;
    await host.stop();
    host = await createPackageHost({ registryFile: registry.registryJsonPath, platform: TEST_PLATFORM, home });
    await expect(host.installed.current(id)).rejects.toMatchObject({
      code: 'PACKAGE_SIGNATURE_INVALID',
      message: expect.stringContaining('1.0.0') as string,
    });
  });
});

describe('a driver’s own package', () => {
  it.each(['platform/native.node', 'PLATFORM/native.node', 'platforms/linux-x64/native.node', 'platform'])(
    'brings no files at %s where it lists platforms',
    async (path) => {
      const driver = new Map(nativeDriver({ id })).set(path, new TextEncoder().encode('evil'));
      await publish(driver, await packed(platformPackage(driver, TEST_PLATFORM)));
      await refused('PACKAGE_INVALID', /in the folder of platform packages, which it may not bring itself/);
      await expect(signPackage(driver, LOCAL_PUBLISHER, registry.signingKey)).rejects.toThrow(/may not bring itself/);
    },
  );

  it('may have such a folder where it lists none, as before', async () => {
    const { tinyDriver } = await import('../../registry/src/tinyDriver.test-helper.ts');
    await registry.publish(tinyDriver({ id, files: { 'platform/data.json': '{}' } }));
    expect(await host.install(id)).toMatchObject({ version: '1.0.0' });
    const { file } = await host.management.bundleTo(id, undefined, folder);
    await host.management.remove(id);
    const keyId = (await host.management.keys())[0]?.keyId ?? '';
    await host.management.installFile(file, never).catch(() => undefined);
    await host.management.trustKey(keyId);
    const { version } = await host.management.installFile(file, never);
    expect(await host.installed.filesOf(id, version)).toHaveProperty('size', 4);
  });
});

describe('a file', () => {
  /** Installs a file after every question was answered. */
  async function installFile(file: string): Promise<unknown> {
    const keyId = (await host.management.keys())[0]?.keyId ?? '';
    for (let tries = 0; ; tries += 1) {
      try {
        return await host.management.installFile(file, never);
      } catch (error) {
        const code = error instanceof HostError ? error.code : '';
        if (tries > 2 || (code !== 'PACKAGE_KEY_UNKNOWN' && code !== 'GRANT_NEEDED')) throw error;
        if (code === 'GRANT_NEEDED') host.management.allowGrants(id, ['addons']);
        else await host.management.trustKey(keyId);
      }
    }
  }

  it('that "bundle" wrote brings driver and platform to another machine', async () => {
    await publishGood();
    await install();
    const { file, bytes } = await host.management.bundleTo(id, undefined, folder);
    expect((await readFile(file)).length).toBe(bytes);
    await host.management.remove(id);
    await installFile(file);
    const { folder: place } = await host.installed.current(id);
    expect(await readFile(join(place, 'platform/lib/more.so'), 'utf8')).toBe(TEST_PLATFORM);
    expect(await readdir(host.folders.staging).catch(() => [])).toEqual([]);
    // The window sends the same bytes, and gets them.
    await host.management.remove(id);
    await host.management
      .installArchive(await readFile(file), 'sent.tgz', never)
      .catch(() => host.management.allowGrants(id, ['addons']));
    expect(await host.management.installArchive(await readFile(file), 'sent.tgz', never)).toMatchObject({ id });
    const { content } = await host.management.bundle(id);
    const pieces: Uint8Array[] = [];
    for await (const piece of content as AsyncIterable<Uint8Array>) pieces.push(piece);
    expect(Buffer.concat(pieces).length).toBeGreaterThan(500);
    expect((await host.management.details(id)).size).toBeGreaterThan(1_000);
  });

  it('has before the download the size that the registry says, and is said to have native files on top', async () => {
    await publishGood();
    await host.catalogue.refresh(never);
    const offered = await host.management.details(id);
    expect(offered.size).toBeGreaterThan(100);
    expect(offered.sizeClaimed).toEqual({ withPlatformFiles: true });
    await install(host);
    const placed = await host.management.details(id);
    expect(placed.size).toBeGreaterThan(Number(offered.size));
    expect(placed.sizeClaimed).toBeUndefined();
  });

  it('from a machine of another platform says which it is for', async () => {
    await publishGood();
    await using windows = await disposable({ registryFile: registry.registryJsonPath, platform: 'win32-x64' });
    await install(windows.host);
    const { file } = await windows.host.management.bundleTo(id, undefined, folder);
    await expect(installFile(file)).rejects.toMatchObject({
      code: 'PACKAGE_INVALID',
      message: expect.stringContaining('win32-x64') as string,
    });
    expect(await host.files()).toEqual([]);
  });

  it('that "pack" wrote is installed with the platform package beside it', async () => {
    const driver = nativeDriver({ id });
    const main = await packed(driver);
    const part = await packed(platformPackage(driver, TEST_PLATFORM));
    const file = join(folder, 'driver.tgz');
    await writeFile(file, main.tarball);
    const beside = `tabularium-test-driver-${id}-${TEST_PLATFORM}-1.0.0.tgz`;
    await expect(installFile(file)).rejects.toMatchObject({
      code: 'PLATFORM_FILES_MISSING',
      message: expect.stringContaining(`${beside} is not beside the file`) as string,
    });
    await writeFile(join(folder, beside), part.tarball);
    await installFile(file);
    const { folder: place } = await host.installed.current(id);
    expect(await readFile(join(place, 'platform/native.node'), 'utf8')).toBe(`native code for ${TEST_PLATFORM}`);
  });

  it.each([
    ['small files', {}],
    // Its package.json comes after a file that no driver's own package may have.
    ['large files', { 'a.node': Buffer.alloc(33 * 1024 * 1024) }],
  ])('that holds %s of one platform alone says which file to take', async (_what, more) => {
    const driver = nativeDriver({ id });
    const part = await packed(platformPackage(driver, TEST_PLATFORM));
    const file = join(folder, 'part.tgz');
    const large = Object.entries(more).map(([path, content]) => ({ path: `package/${path}`, content }));
    await writeFile(file, archiveOf([...large, ...entriesOf(part.files)]));
    await expect(installFile(file)).rejects.toMatchObject({
      code: 'PLATFORM_FILES_ALONE',
      message: `part.tgz has the native files of @tabularium-test/driver-${id} for ${TEST_PLATFORM}, and not the driver itself. That is in tabularium-test-driver-${id}-1.0.0.tgz.`,
    });
    expect(await host.files()).toEqual([]);
  });

  it('with files of a platform that another key signed is refused', async () => {
    const driver = nativeDriver({ id });
    const main = await packed(driver);
    const other = await signUnchecked(
      platformPackage(driver, TEST_PLATFORM),
      { id: 'other', name: 'Other' },
      await createSigningKey(),
    );
    const entries = [
      ...entriesOf(main.files),
      ...Array.from(other, ([path, content]) => ({ path: `package/platform/${path}`, content })),
    ];
    const file = join(folder, 'bundle.tgz');
    await writeFile(file, archiveOf(entries));
    await expect(installFile(file)).rejects.toMatchObject({ code: 'PACKAGE_SIGNATURE_INVALID' });
    expect(await host.files()).toEqual([]);
  });

  it('whose own files are larger than a package’s is refused, however many of a platform it has', async () => {
    const driver = new Map(nativeDriver({ id })).set('dist/large.js', new Uint8Array(33 * 1024 * 1024));
    const file = join(folder, 'bundle.tgz');
    await writeFile(file, archiveOf([...entriesOf(await signed(driver)), { path: 'package/platform/x.node', content: 'x' }]));
    await expect(installFile(file)).rejects.toMatchObject({ code: 'PACKAGE_INVALID' });
  });
});

describe('a developer’s folder', () => {
  async function project(): Promise<string> {
    for (const [path, content] of nativeDriver({ id })) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return folder;
  }
  const load = async (): Promise<unknown> => {
    await host.management.loadFolder(folder, never).catch((error: unknown) => {
      if (!(error instanceof HostError) || error.code !== 'GRANT_NEEDED') throw error;
      host.management.allowGrants(id, ['addons']);
    });
    return host.management.loadFolder(folder, never);
  };

  it('brings the files of this platform, and a changed one makes another version', async () => {
    await project();
    await expect(load()).rejects.toMatchObject({
      code: 'PACKAGE_INVALID',
      message: expect.stringContaining('platforms/linux-x64') as string,
    });
    await mkdir(join(folder, 'platforms/linux-x64'), { recursive: true });
    await mkdir(join(folder, 'platforms/win32-x64'), { recursive: true });
    await writeFile(join(folder, 'platforms/linux-x64/native.node'), 'one');
    await writeFile(join(folder, 'platforms/win32-x64/native.node'), 'windows');
    await load();
    const first = await host.installed.current(id);
    expect(await readFile(join(first.folder, 'platform/native.node'), 'utf8')).toBe('one');
    expect(await readdir(join(first.folder, 'platform'))).toEqual(['native.node']);
    await writeFile(join(folder, 'platforms/linux-x64/native.node'), 'two');
    const second = await host.installed.current(id);
    expect(second.version).not.toBe(first.version);
    expect(await readFile(join(second.folder, 'platform/native.node'), 'utf8')).toBe('two');
  });

  it('brings no file of the person by a link among the files of a platform', async () => {
    await project();
    await mkdir(join(folder, 'platforms/linux-x64'), { recursive: true });
    await writeFile(join(folder, 'secret'), 'secret');
    await symlink(join(folder, 'secret'), join(folder, 'platforms/linux-x64/native.node'));
    await expect(load()).rejects.toMatchObject({
      code: 'PACKAGE_INVALID',
      message: expect.stringContaining('is a link') as string,
    });
    await rm(join(folder, 'platforms/linux-x64'), { recursive: true });
    await symlink(join(folder, '..'), join(folder, 'platforms/linux-x64'));
    await expect(load()).rejects.toMatchObject({ code: 'PACKAGE_INVALID' });
  });
});

/** A second host, for one test. */
async function disposable(
  options: Parameters<typeof createPackageHost>[0],
): Promise<AsyncDisposable & { readonly host: PackageHost }> {
  const made = await createPackageHost(options);
  return { host: made, [Symbol.asyncDispose]: () => made.close() };
}
