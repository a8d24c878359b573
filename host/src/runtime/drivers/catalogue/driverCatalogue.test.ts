import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigningKey, keyIdOf } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { packPackage, signPackage } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPackageHost, createRegistry } from '../../../../../tests/security/packageHost.ts';
import type { PackageHost, PackageHostOptions } from '../../../../../tests/security/packageHost.ts';
import { manifestFor } from '../../../../../tests/security/packageSigner.ts';
import { tinyDriver } from '../../../../../registry/src/tinyDriver.test-helper.ts';
import { root } from '../../../../../scripts/paths.ts';
import type { UnknownPublisherError } from '../trust/publisherTrust.ts';
import { writePackage } from '../packages/writePackage.ts';
import { readSeedCatalogue } from './seedCatalogue.ts';

const never = new AbortController().signal;
const seed = [{ packageName: '@tabularium-test/driver-tiny', manifest: manifestFor('tiny') }];

let registry: RunningRegistry;
let registryRuns: boolean;
let host: PackageHost;
const sources: string[] = [];

async function open(options: PackageHostOptions = {}): Promise<void> {
  host = await createPackageHost({ registryFile: registry.registryJsonPath, seed, ...options });
}

async function states(): Promise<Record<string, string>> {
  const { entries } = await host.catalogue.list();
  return Object.fromEntries(entries.map(({ id, state }) => [id, state]));
}

beforeEach(async () => {
  registry = await createRegistry();
  registryRuns = true;
});
afterEach(async () => {
  await host.close();
  for (const folder of sources.splice(0)) await rm(folder, { recursive: true, force: true });
  if (registryRuns) await registry.close();
});

describe('the catalogue', () => {
  it('has the first-party types before any registry has responded', async () => {
    await open({ registryFile: '' });
    expect(await host.catalogue.list()).toEqual({
      entries: [
        { id: 'tiny', packageName: '@tabularium-test/driver-tiny', manifest: manifestFor('tiny'), state: 'notInstalled' },
      ],
    });
    expect(await host.catalogue.refresh(never)).toMatchObject({
      entries: [{ id: 'tiny' }],
      problem: expect.stringContaining('No driver registry') as string,
    });
  });

  it('says no more of registries that were asked before than holds for those there are now', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tabularium-registry-'));
    sources.push(folder);
    const registryFile = join(folder, 'registry.json');
    await open({ registryFile });
    expect(await host.catalogue.refresh(never)).toMatchObject({
      problem: expect.stringContaining('No driver registry') as string,
    });
    await copyFile(registry.registryJsonPath, registryFile);
    expect(await host.catalogue.list()).not.toHaveProperty('problem');
    expect(await host.catalogue.refresh(never)).not.toHaveProperty('problem');
  });

  it('says what can be installed, is installed, can be updated and cannot run', async () => {
    await registry.publish(tinyDriver());
    await registry.publish(tinyDriver({ id: 'new', sdk: '^2.0' }));
    await open();
    const refreshed = await host.catalogue.refresh(never);
    expect(refreshed.refreshedAt).toBeDefined();
    expect(refreshed.problem).toBeUndefined();
    expect(refreshed.entries).toMatchObject([
      { id: 'tiny', state: 'notInstalled', availableVersion: '1.0.0' },
      { id: 'new', state: 'cannotRun', reason: expect.stringContaining('Update Tabularium') as string },
    ]);

    await host.install('tiny');
    expect(await states()).toEqual({ tiny: 'installed', new: 'cannotRun' });
    await registry.publish(tinyDriver({ version: '1.1.0' }));
    await registry.publish(tinyDriver({ version: '2.0.0', sdk: '^2.0' }));
    await host.catalogue.refresh(never);
    expect(await host.catalogue.entry('tiny')).toMatchObject({
      state: 'updateAvailable',
      installedVersion: '1.0.0',
      availableVersion: '1.1.0',
      reason: expect.stringContaining('Version 2.0.0') as string,
      publisher: { origin: 'localRegistry' },
    });
  });

  it('marks what can be taken for a driver that came with the host or is installed, and what is asked about it', async () => {
    const shipped = [
      { packageName: '@tabularium-test/driver-tiny', manifest: { ...manifestFor('tiny'), title: 'Search Server (Typesense)' } },
    ];
    // This publisher isn't trusted yet.
    const key = await createSigningKey();
    const offer = async (files: PackageFiles) =>
      registry.publishPacked(await packPackage(await signPackage(files, { id: 'other', name: 'Other' }, key)));
    await offer(
      tinyDriver({ id: 'cyr', name: '@other/tabularium-driver-cyr', manifest: { title: 'Sеarch Server (Typesense)' } }),
    );
    await offer(
      tinyDriver({ id: 'spaces', name: '@other/tabularium-driver-spaces', manifest: { title: 'search server - TYPESENSE' } }),
    );
    await offer(tinyDriver({ id: 'name', name: '@tabularium_test/driver-tiny', manifest: { title: 'Something' } }));
    await offer(tinyDriver({ id: 'honest', name: '@other/tabularium-driver-honest', manifest: { title: 'Another server' } }));
    await open({ seed: shipped });
    const { entries } = await host.catalogue.refresh(never);
    const marked = Object.fromEntries(entries.map(({ id, resembles }) => [id, resembles?.packageName]));
    const original = '@tabularium-test/driver-tiny';
    expect(marked).toEqual({ tiny: undefined, cyr: original, spaces: original, name: original, honest: undefined });
    await expect(host.install('cyr')).rejects.toMatchObject({
      code: 'PACKAGE_KEY_UNKNOWN',
      question: { resemblesDriver: { title: 'Search Server (Typesense)', packageName: original } },
    });
    const honest: unknown = await host.install('honest').catch((error: unknown) => error);
    expect(honest).toMatchObject({ code: 'PACKAGE_KEY_UNKNOWN' });
    expect((honest as UnknownPublisherError).question).not.toHaveProperty('resemblesDriver');
    // Trusted and installed, it is still marked, and what it looks like is not.
    await host.trust.trust({
      id: 'other',
      name: 'Other',
      publicKey: ((await host.install('cyr').catch((error: unknown) => error as UnknownPublisherError)) as UnknownPublisherError)
        .publisher.publicKey,
    });
    await host.install('cyr');
    const after = (await host.catalogue.list()).entries;
    expect(after.find(({ id }) => id === 'cyr')?.resembles?.packageName).toBe(original);
    expect(after.find(({ id }) => id === 'tiny')).not.toHaveProperty('resembles');
  });

  it('says why an installed driver cannot be loaded, and offers to install a damaged one again', async () => {
    await registry.publish(tinyDriver());
    await open();
    const { folder } = await host.install('tiny');
    await writeFile(join(folder, 'dist/index.js'), 'damaged');
    await host.stop();
    await open({ home: host.home });
    const reason: unknown = expect.stringContaining('"dist/index.js" is not the one that was signed');
    expect(await host.catalogue.entry('tiny')).toMatchObject({ state: 'notInstalled', installedVersion: '1.0.0', reason });
    await host.install('tiny');
    expect(await host.catalogue.entry('tiny')).toMatchObject({ state: 'installed' });

    host.trust.revoke(await keyIdOf(registry.publisher.publicKey));
    const revoked: unknown = expect.stringContaining('revoked');
    expect(await host.catalogue.entry('tiny')).toMatchObject({ state: 'cannotRun', reason: revoked });
  });

  it('draws the form of the version that is installed, else of the one that would be', async () => {
    await registry.publish(tinyDriver({ version: '1.0.0', manifest: { title: 'One' } }));
    await registry.publish(tinyDriver({ version: '2.0.0', manifest: { title: 'Two' } }));
    await open();
    await host.catalogue.refresh(never);
    expect((await host.catalogue.entry('tiny'))?.manifest.title).toBe('Two');
    await host.install('tiny', '1.0.0');
    expect((await host.catalogue.entry('tiny'))?.manifest.title).toBe('One');
  });

  it('is there offline, and says how old it is and why it is not newer', async () => {
    await registry.publish(tinyDriver());
    await registry.publish(tinyDriver({ id: 'found' }));
    await open();
    const online = await host.catalogue.refresh(never);
    await host.stop();
    await registry.close();
    registryRuns = false;
    await open({ home: host.home, registries: () => [{ id: 'gone', url: registry.url, name: 'Gone' }] });
    expect(await host.catalogue.list()).toEqual(online);
    const offline = await host.catalogue.refresh(never);
    expect(offline).toEqual({
      ...online,
      problem: expect.stringMatching(/"Gone".*Nothing is listening/) as string,
      problemOrigin: { code: 'REGISTRY_UNREACHABLE' },
    });
    expect(await states()).toEqual({ found: 'notInstalled', tiny: 'notInstalled' });
  });

  it('lets no later package take the id of a first-party type', async () => {
    await registry.publish(tinyDriver({ id: 'tiny', name: '@tabularium-test/driver-a-thief', manifest: { title: 'Thief' } }));
    await open();
    const { entries } = await host.catalogue.refresh(never);
    expect(entries).toMatchObject([{ id: 'tiny', packageName: '@tabularium-test/driver-tiny', manifest: { title: 'Tiny' } }]);
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'PACKAGE_NOT_FOUND' });
  });

  it('has both drivers of two folders that name one package', async () => {
    await open({ registryFile: '' });
    for (const id of ['one', 'two']) {
      const folder = await mkdtemp(join(tmpdir(), 'tabularium-folder-'));
      sources.push(folder);
      await writePackage(join(folder, id), tinyDriver({ id, name: 'tabularium-driver-copied' }));
      await host.management.loadFolder(join(folder, id), never);
    }
    expect(await states()).toMatchObject({ one: 'installed', two: 'installed' });
  });

  it('finds packages by name in a registry that has no search for them', async () => {
    await registry.publish(tinyDriver({ id: 'listed', name: 'listed-package' }));
    const registries = () => [{ id: 'x', url: registry.url, name: 'X', packages: ['listed-package'] }];
    await open({ registryFile: '', registries });
    await host.trust.trust(registry.publisher);
    expect((await host.catalogue.refresh(never)).entries.map(({ id }) => id)).toContain('listed');
    expect(await host.install('listed')).toMatchObject({ packageName: 'listed-package' });
  });

  it('asks the registries in their order and never mixes their versions', async () => {
    const second = await createRegistry();
    try {
      await registry.publish(tinyDriver({ version: '1.0.0' }));
      await second.publish(tinyDriver({ version: '9.0.0' }));
      await open({ registries: () => [{ id: 'second', url: second.url, name: 'Second' }] });
      await host.catalogue.refresh(never);
      expect(await host.catalogue.entry('tiny')).toMatchObject({ availableVersion: '1.0.0' });
      expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
      const wanted = await host.catalogue.find('tiny', { registry: second.url }, never);
      expect(wanted.version.version).toBe('9.0.0');
    } finally {
      await second.close();
    }
  });

  it('refuses an address that is none', async () => {
    await open();
    await expect(host.catalogue.find('tiny', { registry: 'nowhere' }, never)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('the seed catalogue of this repository', () => {
  it('can be read, whole', async () => {
    const entries = await readSeedCatalogue(`${root}/host/catalogue/first-party.json`);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) expect(entry.manifest.id).toMatch(/^[a-z]/);
  });
});
