import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalogueKeys } from '@tabularium/registry';
import type { RunningRegistry, SignedCatalogue } from '@tabularium/registry';
import { CATALOGUE_PATH } from '@tabularium/sdk/package';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { registrySource } from '../../host/src/runtime/drivers/trust/registrySource.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost, PackageHostOptions } from './packageHost.ts';
import { createRegistryProxy } from './registryProxy.ts';
import type { RegistryProxy } from './registryProxy.ts';
import { createCatalogue, TINY_DRIVER as name } from './signedCatalogues.ts';

const never = new AbortController().signal;

let registry: RunningRegistry;
let folder: string;
let catalogue: SignedCatalogue;
let proxy: RegistryProxy;
let host: PackageHost;
let serve: (file: string) => string | undefined;

beforeAll(async () => {
  registry = await createRegistry();
  await registry.publish(tinyDriver({ version: '1.0.0' }));
  await registry.publish(tinyDriver({ version: '1.1.0' }));
});
afterAll(() => registry.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-signed-'));
  catalogue = await createCatalogue(registry, folder);
  serve = (file) => catalogue.file(file);
  proxy = await createRegistryProxy({
    target: registry.url,
    meddle: (url, outgoing) => {
      if (!url.pathname.startsWith(`/${CATALOGUE_PATH}`)) return false;
      const text = serve(url.pathname.slice(CATALOGUE_PATH.length + 1));
      if (text === undefined) outgoing.writeHead(404).end();
      else outgoing.end(text);
      return true;
    },
  });
  host = await newHost();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await host.close();
  await proxy[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function newHost(options: PackageHostOptions = {}): Promise<PackageHost> {
  const made = await createPackageHost({ registries: () => [registrySource(proxy.url)], ...options });
  await made.trust.trust(registry.publisher);
  return made;
}

/** The same data directory in another run of the host. */
async function restart(): Promise<void> {
  const { home } = host;
  await host.stop();
  host = await newHost({ home });
}

async function trustFile(): Promise<string> {
  const [file = ''] = await readdir(host.folders.trust);
  return join(host.folders.trust, file);
}

interface TrustFile {
  readonly files: Record<string, string>;
}

async function changeTrustFile(change: (files: Record<string, string>) => Record<string, string>): Promise<void> {
  const file = await trustFile();
  const read = JSON.parse(await readFile(file, 'utf8')) as TrustFile;
  await writeFile(file, JSON.stringify({ ...read, files: change(read.files) }));
}

/** As a full disk writes: the file is emptied, a few bytes fit, and the error says so. */
function fillDiskFor(role: string, code = 'ENOSPC', saved = 0): void {
  const write = fs.writeFileSync;
  vi.spyOn(fs, 'writeFileSync').mockImplementation((file, data, options) => {
    if (typeof file !== 'string' || !file.endsWith(`${role}.json`)) return write(file, data, options);
    write(file, typeof data === 'string' ? data.slice(0, saved) : '');
    throw Object.assign(new Error(`${code}: no space left on device, write`), { code });
  });
}

describe('a catalogue that the disk has no room for', () => {
  it.each([
    ['root', 0],
    ['timestamp', 0],
    ['snapshot', 0],
    ['snapshot', 40],
    ['targets', 0],
    ['targets', 40],
  ])('leaves the verified state as it was, and says so (%s.json, cut after %i characters)', async (role, saved) => {
    await host.install('tiny', '1.0.0');
    const before = await readFile(await trustFile(), 'utf8');
    await catalogue.rotate(await createCatalogueKeys());
    await catalogue.add([]);
    fillDiskFor(role, 'ENOSPC', saved);
    await expect(host.install('tiny', '1.1.0')).rejects.toMatchObject({ name: 'HostError', code: 'DISK_FULL' });
    expect(await readFile(await trustFile(), 'utf8')).toBe(before);
    expect(await readdir(join(host.home, 'cache'))).not.toContain('catalogues');
    vi.restoreAllMocks();
    await restart();
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.0.0' });
    expect(await host.install('tiny', '1.1.0')).toMatchObject({ version: '1.1.0' });
  });

  it('is the reason that the list of drivers shows', async () => {
    await host.install('tiny', '1.0.0');
    await catalogue.add([]);
    fillDiskFor('targets');
    const { problem } = await host.catalogue.refresh(never);
    expect(problem).toMatch(/cannot be saved\. The disk is full/);
  });

  it('is reported as what the system said for other failures', async () => {
    fillDiskFor('timestamp', 'EROFS');
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'HOME_READ_ONLY' });
    vi.restoreAllMocks();
    fillDiskFor('timestamp', 'EIO');
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
  });
});

describe('a verified state that was cut off', () => {
  it.each(['timestamp', 'snapshot', 'targets', 'root'])('keeps drivers in use and is made whole (%s)', async (role) => {
    await host.install('tiny', '1.0.0');
    await changeTrustFile((files) => ({ ...files, [role]: '' }));
    await restart();
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.0.0' });
    await catalogue.revoke({ versions: [{ package: name, version: '1.0.0', reason: 'It loses rows.' }] });
    await host.catalogue.refresh(never);
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_REVOKED' });
    await restart();
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_REVOKED' });
  });

  it('takes no other root than the one that was seen first', async () => {
    await host.install('tiny', '1.0.0');
    await changeTrustFile((files) => ({ ...files, root: '' }));
    await restart();
    const other = await createCatalogue(registry, folder);
    serve = (file) => other.file(file);
    await expect(host.install('tiny', '1.1.0')).rejects.toMatchObject({ code: 'CATALOGUE_INVALID' });
  });
});

describe('a signed list that is not one of drivers', () => {
  it('leaves the list from before in force, after a restart as well', async () => {
    await host.install('tiny', '1.0.0');
    await catalogue.revoke({ versions: [{ package: name, version: '1.0.0', reason: 'It loses rows.' }] });
    await host.catalogue.refresh(never);
    await catalogue.revoke({ versions: [{ package: name, version: '0.1.0', reason: 'x'.repeat(501) }] });
    await expect(host.install('tiny', '1.1.0')).rejects.toMatchObject({ code: 'CATALOGUE_INVALID' });
    await restart();
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_REVOKED' });
  });
});
