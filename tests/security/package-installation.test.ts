import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSigningKey, keyIdOf } from '@tabularium/sdk/package';
import { LOCAL_PUBLISHER, signPackage } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InstallProgress } from '../../host/src/common/drivers.ts';
import { Drivers } from '../../host/src/runtime/drivers/drivers.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';

let registry: RunningRegistry;
let host: PackageHost;

const never = new AbortController().signal;

beforeAll(async () => {
  registry = await createRegistry();
  for (const version of ['1.0.0', '1.1.0']) await registry.publish(tinyDriver({ version }));
  await registry.publish(tinyDriver({ version: '2.0.0', sdk: '^2.0' }));
  await registry.publish(tinyDriver({ version: '1.2.0-beta.1' }));
  await registry.publish(tinyDriver({ id: 'other' }));
});
afterAll(() => registry.close());
beforeEach(async () => {
  host = await createPackageHost({ registryFile: registry.registryJsonPath });
});
afterEach(() => host.close());

/** A trial that has begun and waits: until it is released, or cancelled. */
function pausedTrial() {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  host.trialLoader.behaviour = async (_driver, signal) => {
    begun.resolve();
    signal.addEventListener('abort', () => release.reject(new Error('aborted')), { once: true });
    await release.promise;
  };
  return { begun: begun.promise, release: release.resolve };
}

describe('installing a driver', () => {
  it('takes the newest compatible version, runs a trial before it replaces the old one, and reports progress', async () => {
    const steps: InstallProgress[] = [];
    let inPlaceAtTrial: readonly string[] = [];
    host.trialLoader.behaviour = async () => {
      inPlaceAtTrial = (await host.files()).filter((path) => !path.startsWith('.staging'));
    };
    const driver = await host.installer.install('tiny', { signal: never, onProgress: (step) => steps.push(step) });
    expect(driver).toMatchObject({
      id: 'tiny',
      packageName: '@tabularium-test/driver-tiny',
      version: '1.1.0',
      folder: join(host.folders.drivers, 'tiny', '1.1.0'),
      entry: 'dist/index.js',
      publisher: { id: 'local-registry', origin: 'localRegistry' },
    });
    expect(inPlaceAtTrial).toEqual([]);
    expect(host.trialLoader.tried[0]?.folder).toContain('.staging');
    const names = steps.map(({ step }) => step);
    expect(names.filter((step, place) => step !== names[place - 1])).toEqual([
      ...['resolving', 'downloading', 'verifying', 'tryingOut', 'installed'],
    ]);
    // How much has come of how much, before the archive is whole.
    const downloading = steps.filter((step) => step.step === 'downloading');
    expect(downloading[0]).toMatchObject({ receivedBytes: 0 });
    expect(downloading.at(-1)?.totalBytes).toBe(downloading.at(-1)?.receivedBytes);
    expect(downloading.at(-1)?.receivedBytes).toBeGreaterThan(500);
    expect(steps.at(-1)).toMatchObject({ version: '1.1.0', publisher: driver.publisher });
    expect(await host.files()).toEqual([
      'tiny',
      'tiny/1.1.0',
      'tiny/1.1.0/dist',
      'tiny/1.1.0/dist/index.js',
      'tiny/1.1.0/package.json',
      'tiny/1.1.0/tabularium.signature.json',
    ]);
    expect(await host.installed.current('tiny')).toEqual(driver);
  });

  it('keeps versions side by side and moves the pointer', async () => {
    await host.install('tiny', '1.0.0');
    await host.install('tiny');
    expect(host.installed.list()).toMatchObject([
      { version: '1.0.0', current: false },
      { version: '1.1.0', current: true },
    ]);
    const older = await host.installer.install('tiny', { version: '1.0.0', allowDowngrade: true, signal: never });
    expect(older).toMatchObject({ version: '1.0.0' });
    expect(host.trialLoader.tried).toHaveLength(2);
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.0.0' });
  });

  it('takes a pre-release only when asked', async () => {
    expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
    const driver = await host.installer.install('tiny', { prerelease: true, signal: never });
    expect(driver.version).toBe('1.2.0-beta.1');
  });

  it('refuses a version that this host cannot run, and leaves the present one in use', async () => {
    await host.install('tiny');
    await expect(host.install('tiny', '2.0.0')).rejects.toMatchObject({ code: 'DRIVER_NOT_COMPATIBLE' });
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.1.0' });
  });

  it('reinstalls a damaged driver', async () => {
    const { folder } = await host.install('tiny');
    await writeFile(join(folder, 'dist/index.js'), 'damaged');
    await host.stop();
    host = await createPackageHost({ registryFile: registry.registryJsonPath, home: host.home });
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'PACKAGE_SIGNATURE_INVALID' });
    await host.install('tiny');
    expect(await readFile(join(folder, 'dist/index.js'), 'utf8')).toContain('no tiny database');
  });
});

describe('two installations of one driver', () => {
  it('are one: the second waits for the first and gets its progress', async () => {
    const trial = pausedTrial();
    const first = host.install('tiny');
    await trial.begun;
    const steps: InstallProgress[] = [];
    const second = host.installer.install('tiny', { signal: never, onProgress: (step) => steps.push(step) });
    trial.release();
    expect(await second).toBe(await first);
    expect(host.trialLoader.tried).toHaveLength(1);
    expect(steps.map(({ step }) => step)).toEqual(['tryingOut', 'installed']);
  });

  it('continue when one of the two callers gives up', async () => {
    const trial = pausedTrial();
    const impatient = new AbortController();
    const first = host.installer.install('tiny', { signal: impatient.signal });
    await trial.begun;
    const second = host.install('tiny');
    impatient.abort();
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    trial.release();
    expect(await second).toMatchObject({ version: '1.1.0' });
  });

  it('of different versions follow each other', async () => {
    const [older, newer] = await Promise.all([host.install('tiny', '1.0.0'), host.install('tiny', '1.1.0')]);
    expect([older.version, newer.version]).toEqual(['1.0.0', '1.1.0']);
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.1.0' });
  });

  it('are one too for a connection that opens meanwhile, whatever version is being installed', async () => {
    const drivers = new Drivers({ catalogue: host.catalogue, installed: host.installed, installer: host.installer });
    const trial = pausedTrial();
    const chosen = host.install('tiny', '1.0.0');
    await trial.begun;
    const steps: InstallProgress[] = [];
    const opened = drivers.ensureInstalled('tiny', { signal: never, onProgress: (step) => steps.push(step) });
    trial.release();
    expect(await opened).toBe(await chosen);
    expect(host.trialLoader.tried).toHaveLength(1);
    expect(steps.map(({ step }) => step)).toEqual(['tryingOut', 'installed']);
  });

  it('of different drivers run beside each other, and neither takes the staging folder from the other', async () => {
    // One ends while the other begins, again and again: nothing is installed twice, so each round needs a version that is new.
    for (let round = 0; round < 8; round += 1) {
      await Promise.all([
        registry.publish(tinyDriver({ id: 'one', version: `1.0.${round}` })),
        registry.publish(tinyDriver({ id: 'two', version: `1.0.${round}` })),
      ]);
      const [one, two] = await Promise.all([host.install('one'), host.install('two')]);
      expect([one.version, two.version]).toEqual([`1.0.${round}`, `1.0.${round}`]);
    }
    expect((await host.files()).filter((path) => path.startsWith('.staging'))).toEqual([]);
  });
});

describe('an installation that is cancelled', () => {
  it('leaves no trace, and the next one starts from the beginning', async () => {
    const trial = pausedTrial();
    const cancel = new AbortController();
    const cancelled = host.installer.install('tiny', { signal: cancel.signal });
    await trial.begun;
    cancel.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    host.trialLoader.behaviour = () => Promise.resolve();
    expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
    await host.stop();
    expect((await host.files()).filter((path) => path.startsWith('.staging'))).toEqual([]);
    host = await createPackageHost({ home: host.home });
  });

  it('has cleaned up when the host has stopped', async () => {
    const trial = pausedTrial();
    const install = host.install('tiny');
    install.catch(() => undefined);
    await trial.begun;
    await host.stop();
    await expect(install).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await host.files()).toEqual([]);
    host = await createPackageHost({ home: host.home });
    expect(host.records.list()).toEqual([]);
  });
});

describe('a host that was killed while installing', () => {
  /** Starts an installation in a process of its own, which is killed when it has come as far as `at`. */
  async function killAt(at: string): Promise<void> {
    const child = fork(join(import.meta.dirname, 'packageInstallChild.ts'), [host.home, registry.registryJsonPath, at], {
      execArgv: ['--conditions=tabularium:source', '--import', 'reflect-metadata'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [where] = (await once(child, 'message')) as [string];
    expect(where).toBe(at);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  const restart = async (): Promise<void> => {
    host = await createPackageHost({ registryFile: registry.registryJsonPath, home: host.home });
  };

  const BEFORE_THE_RECORD = ['resolving', 'downloading', 'verifying', 'writing', 'tryingOut', 'moving', 'renamed'];

  it.each(BEFORE_THE_RECORD)('at "%s" of a first installation starts clean and installs', async (at) => {
    await host.stop();
    await killAt(at);
    await restart();
    expect(await host.files()).toEqual([]);
    expect(host.installed.list()).toEqual([]);
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_NOT_INSTALLED' });
    expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
  });

  it.each(BEFORE_THE_RECORD)('at "%s" of an update keeps the previous version', async (at) => {
    await host.install('tiny', '1.0.0');
    await host.stop();
    await killAt(at);
    await restart();
    expect((await host.files()).filter((path) => path.split('/').length === 2)).toEqual(['tiny/1.0.0']);
    expect(host.installed.list()).toMatchObject([{ version: '1.0.0', current: true }]);
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.0.0' });
    expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
  });

  it('at "recorded" has the new version, whole', async () => {
    await host.install('tiny', '1.0.0');
    await host.stop();
    await killAt('recorded');
    await restart();
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.1.0' });
    expect((await host.files()).filter((path) => path.startsWith('.staging'))).toEqual([]);
  });

  it('at "pruning" has the new version, and the next start removes what was to go', async () => {
    for (const version of ['0.7.0', '0.8.0', '0.9.0']) await registry.publish(tinyDriver({ version }));
    for (const version of ['0.7.0', '0.8.0', '0.9.0']) await host.install('tiny', version);
    await host.stop();
    await killAt('pruning');
    expect(await host.files()).toContain('tiny/0.7.0');
    await restart();
    expect(await host.files()).not.toContain('tiny/0.7.0');
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.1.0' });
  });

  it('at "movedAside" of a repair has the damaged version no more, and installs', async () => {
    const { folder } = await host.install('tiny');
    await writeFile(join(folder, 'dist/index.js'), 'damaged');
    await host.stop();
    await killAt('movedAside');
    await restart();
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_NOT_INSTALLED' });
    expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.1.0' });
  });

  it('forgets a version whose folder is gone, and goes back to the one before', async () => {
    await host.install('tiny', '1.0.0');
    const { folder } = await host.install('tiny');
    await host.stop();
    await rm(folder, { recursive: true });
    host = await createPackageHost({ home: host.home });
    expect(host.installed.list()).toMatchObject([{ version: '1.0.0', current: true }]);
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.0.0' });
  });
});

describe('an installed driver, in the next run of the host', () => {
  const restart = async (): Promise<void> => {
    await host.stop();
    host = await createPackageHost({ registryFile: registry.registryJsonPath, home: host.home });
  };

  it('is loaded when it is as it was installed', async () => {
    const driver = await host.install('tiny');
    await restart();
    expect(await host.installed.current('tiny')).toEqual(driver);
  });

  it.each([
    ['a file was changed', (folder: string) => writeFile(join(folder, 'dist/index.js'), 'export const driver = process;')],
    ['a file was added', (folder: string) => writeFile(join(folder, 'dist/more.js'), '')],
    ['a file was removed', (folder: string) => rm(join(folder, 'dist/index.js'))],
    ['a link was added', (folder: string) => symlink('/etc', join(folder, 'dist/etc'))],
    ['the signature was removed', (folder: string) => rm(join(folder, 'tabularium.signature.json'))],
    [
      'a file became a link to the same bytes elsewhere',
      async (folder: string) => {
        const outside = join(host.home, 'outside');
        await mkdir(outside);
        await writeFile(join(outside, 'index.js'), await readFile(join(folder, 'dist/index.js')));
        await rm(join(folder, 'dist/index.js'));
        await symlink(join(outside, 'index.js'), join(folder, 'dist/index.js'));
      },
    ],
  ])('is not loaded when %s', async (_what, change) => {
    const { folder } = await host.install('tiny');
    await change(folder);
    await restart();
    const error: unknown = await host.installed.current('tiny').catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'PACKAGE_SIGNATURE_INVALID',
      advice: expect.stringContaining('Install the driver again') as string,
    });
    expect((error as Error).message).toContain('"tiny" 1.1.0');
  });

  it('is not loaded when its folder was replaced by another rightly signed package', async () => {
    const { folder } = await host.install('tiny');
    const other = await host.install('other');
    await rm(folder, { recursive: true });
    await mkdir(folder);
    for (const file of ['package.json', 'tabularium.signature.json'])
      await writeFile(join(folder, file), await readFile(join(other.folder, file)));
    await mkdir(join(folder, 'dist'));
    await writeFile(join(folder, 'dist/index.js'), await readFile(join(other.folder, 'dist/index.js')));
    await restart();
    await expect(host.installed.current('tiny')).rejects.toMatchObject({
      code: 'PACKAGE_SIGNATURE_INVALID',
      message: expect.stringContaining('replaced') as string,
    });
  });

  it("isn't loaded when its files were changed and signed by another key", async () => {
    const { folder } = await host.install('tiny');
    const forged = await signPackage(
      tinyDriver({ version: '1.1.0', code: 'export const driver = process;' }),
      LOCAL_PUBLISHER,
      await createSigningKey(),
    );
    for (const [path, bytes] of forged) await writeFile(join(folder, path), bytes);
    await restart();
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'PACKAGE_SIGNATURE_INVALID' });
  });

  it('is not loaded once its key is revoked, also while the host runs', async () => {
    await host.install('tiny');
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.1.0' });
    host.trust.revoke(await keyIdOf(registry.publisher.publicKey));
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'PACKAGE_KEY_REVOKED' });
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'PACKAGE_KEY_REVOKED' });
  });

  it('is not loaded by a host whose contract is another', async () => {
    await host.install('tiny');
    await host.stop();
    host = await createPackageHost({ home: host.home, contract: '2.0.0' });
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_NOT_COMPATIBLE' });
  });

  it('stays installed when the registry that signed it is gone', async () => {
    await host.install('tiny');
    await host.stop();
    host = await createPackageHost({ home: host.home });
    expect(await host.installed.current('tiny')).toMatchObject({ publisher: { origin: 'localRegistry' } });
    expect(await readdir(join(await realpath(host.home), 'drivers'))).toEqual(['tiny']);
  });
});
