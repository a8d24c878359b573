import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalogueKeys, SignedCatalogue } from '@tabularium/registry';
import type { CatalogueKeys, RunningRegistry } from '@tabularium/registry';
import { CATALOGUE_PATH, createSigningKey } from '@tabularium/sdk/package';
import type { SigningKey } from '@tabularium/sdk/package';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { registryInputSchema } from '../../host/src/common/driversApi.ts';
import { registrySource } from '../../host/src/runtime/drivers/trust/registrySource.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost, PackageHostOptions } from './packageHost.ts';
import { createRegistryProxy } from './registryProxy.ts';
import type { RegistryProxy } from './registryProxy.ts';
import { catalogueCopy, createCatalogue, listedPackage, TINY_DRIVER as name } from './signedCatalogues.ts';
import type { CatalogueOptions } from './signedCatalogues.ts';
import { signedRoot } from './signedRoot.ts';

const never = new AbortController().signal;
const DAY = 24 * 60 * 60_000;

let registry: RunningRegistry;
let folder: string;
let catalogue: SignedCatalogue;
let proxy: RegistryProxy;
let host: PackageHost;
/** The registry's answer for a file of the catalogue; a function writes the answer itself. */
let serve: (file: string) => string | undefined | ((response: ServerResponse) => void);
/** The change to the text of a package's document. */
let edit: (document: string) => string;

beforeAll(async () => {
  registry = await createRegistry();
  await registry.publish(tinyDriver({ version: '1.0.0' }));
  await registry.publish(tinyDriver({ version: '1.1.0' }));
});
afterAll(() => registry.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-signed-'));
  catalogue = await newCatalogue();
  serve = (file) => catalogue.file(file);
  edit = (document) => document;
  proxy = await createRegistryProxy({
    target: registry.url,
    meddle: (url, outgoing, answer) => {
      if (url.pathname.startsWith(`/${CATALOGUE_PATH}`)) {
        const text = serve(url.pathname.slice(CATALOGUE_PATH.length + 1));
        if (typeof text === 'function') text(outgoing);
        else if (text === undefined) outgoing.writeHead(404).end();
        else outgoing.end(text);
        return true;
      }
      if (!url.pathname.endsWith('driver-tiny')) return false;
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => outgoing.end(edit(Buffer.concat(chunks).toString('utf8'))));
      return true;
    },
  });
  host = await newHost();
});
afterEach(async () => {
  vi.useRealTimers();
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
async function restart(options: PackageHostOptions = {}): Promise<void> {
  const { home } = host;
  await host.stop();
  host = await newHost({ home, ...options });
}

const newCatalogue = (options?: CatalogueOptions): Promise<SignedCatalogue> => createCatalogue(registry, folder, options);

async function refused(code: string, message?: RegExp): Promise<void> {
  const error: unknown = await host.install('tiny', '1.1.0').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'HostError', code });
  if (message !== undefined) expect((error as Error).message).toMatch(message);
}

describe('a signed catalogue', () => {
  it('is verified before an installation, pinned, and shown', async () => {
    expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
    expect(await host.registryManagement.registries()).toMatchObject([
      {
        catalogue: {
          state: 'signed',
          version: 2,
          fingerprint: catalogue.fingerprint.replaceAll(/(.{4})(?=.)/g, '$1 '),
          expiresAt: expect.any(String) as string,
        },
      },
    ]);
    expect((await readdir(host.folders.trust)).length).toBe(1);
  });

  it('follows keys that its root key replaces, one at a time and many at once', async () => {
    await host.install('tiny', '1.0.0');
    for (let times = 0; times < 3; times += 1) await catalogue.rotate(await createCatalogueKeys());
    expect(await host.install('tiny', '1.1.0')).toMatchObject({ version: '1.1.0' });
  });

  it.each(['root', 'targets', 'snapshot', 'timestamp'] as const)(
    'out of date in its %s stops installations, and nothing else',
    async (role) => {
      await host.install('tiny', '1.0.0');
      // Signed so long ago that this role alone has expired.
      const lifetimes = { root: 999 * DAY, targets: 999 * DAY, snapshot: 999 * DAY, timestamp: 999 * DAY, [role]: DAY };
      const old = await newCatalogue({ now: () => Date.now() - 2 * DAY, lifetimes });
      for (const file of await readdir(host.folders.trust)) await rm(join(host.folders.trust, file));
      await restart();
      serve = (file) => old.file(file);
      await refused('CATALOGUE_EXPIRED', /out of date.*clock of this computer/);
      expect(await host.installed.current('tiny')).toMatchObject({ version: '1.0.0' });
      const { problem } = await host.catalogue.refresh(never);
      expect(problem).toContain('out of date');
      expect(await host.registryManagement.registries()).toMatchObject([{ catalogue: { problem } }]);
      await restart();
      expect(await host.installed.current('tiny')).toMatchObject({ version: '1.0.0' });
    },
  );

  it('that is frozen is noticed when its timestamp expires', async () => {
    const frozen = catalogueCopy(catalogue);
    serve = (file) => frozen(file);
    await host.install('tiny', '1.0.0');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY + 1 });
    await refused('CATALOGUE_EXPIRED');
    // The same registry, signing again.
    await catalogue.refresh();
    serve = (file) => catalogue.file(file);
    expect(await host.install('tiny', '1.1.0')).toMatchObject({ version: '1.1.0' });
  });

  it.each([false, true])('older than one seen before is refused (after a restart: %s)', async (isAfterRestart) => {
    const old = catalogueCopy(catalogue);
    await catalogue.revoke({ versions: [{ package: name, version: '1.1.0', reason: 'It loses rows.' }] });
    await host.install('tiny', '1.0.0');
    if (isAfterRestart) await restart();
    serve = old;
    await refused('CATALOGUE_INVALID', /older than one that was seen before/);
  });

  it('is refused when its parts are of different times', async () => {
    await host.install('tiny', '1.0.0');
    const oldSnapshot = catalogue.file('2.snapshot.json');
    await catalogue.add([]);
    serve = (file) => (file === '3.snapshot.json' ? oldSnapshot : catalogue.file(file));
    await refused('CATALOGUE_INVALID', /do not fit together/);
  });

  it.each([
    ['2.targets.json', '"length":', '"length":1'],
    ['2.snapshot.json', '"version":2', '"version":3'],
    ['timestamp.json', '"version":2', '"version":9'],
    ['1.root.json', '"threshold":1', '"threshold":2'],
  ])('is refused when %s was changed', async (changed, from, to) => {
    serve = (file) => (file === changed ? catalogue.file(file)?.replace(from, to) : catalogue.file(file));
    await refused('CATALOGUE_INVALID');
    expect(await host.files()).toEqual([]);
  });

  it('is refused when it is signed by keys that the root does not name', async () => {
    await host.install('tiny', '1.0.0');
    const other = await newCatalogue();
    await other.add([]);
    serve = (file) => (file === 'timestamp.json' ? other.file(file) : catalogue.file(file));
    await refused('CATALOGUE_INVALID');
    // A next root that the present root key has not signed.
    await other.rotate(await createCatalogueKeys());
    serve = (file) => (file === '2.root.json' ? other.file(file) : catalogue.file(file));
    await refused('CATALOGUE_INVALID');
  });

  it('cannot be taken away once it was seen', async () => {
    await host.install('tiny', '1.0.0');
    serve = () => undefined;
    await refused('CATALOGUE_INVALID', /had one before/);
    await restart();
    await refused('CATALOGUE_INVALID', /had one before/);
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.0.0' });
  });

  it('is not forgotten when the file of the host is damaged', async () => {
    await host.install('tiny', '1.0.0');
    const [file = ''] = await readdir(host.folders.trust);
    await writeFile(join(host.folders.trust, file), '{');
    await restart();
    await refused('CATALOGUE_INVALID', /cannot be read/);
  });

  it('has to be the one whose fingerprint a person compared', async () => {
    const input = { url: proxy.url, catalogueFingerprint: 'ab'.repeat(32) };
    await expect(host.registryManagement.saveRegistry(registryInputSchema.parse(input))).rejects.toMatchObject({
      code: 'CATALOGUE_INVALID',
    });
    expect(host.settings.list()).toEqual([]);
    const right = { ...input, catalogueFingerprint: catalogue.fingerprint };
    await host.registryManagement.saveRegistry(registryInputSchema.parse(right));
    serve = () => undefined;
    await refused('CATALOGUE_INVALID');
  });
});

describe('a catalogue whose root needs two signatures', () => {
  let keys: CatalogueKeys;
  let second: SigningKey;
  let roots: Map<string, string>;

  beforeEach(async () => {
    keys = await createCatalogueKeys();
    second = await createSigningKey();
    catalogue = await newCatalogue({ keys });
    roots = new Map();
    serve = (file) => roots.get(file) ?? catalogue.file(file);
  });

  type Signatures = Parameters<typeof signedRoot>[0]['signatures'];
  /** The root of both keys, or of `rootKeys`, that the registry serves. */
  async function serveRoot(version: number, signatures: Signatures, rootKeys = [keys.root, second]): Promise<void> {
    const threshold = rootKeys.length;
    roots.set(`${version}.root.json`, await signedRoot({ version, keys, rootKeys, threshold, signatures }));
  }
  const first = (): Signatures[number] => ({ by: keys.root });
  const other = (): Signatures[number] => ({ by: second });

  it('is accepted with both', async () => {
    await serveRoot(1, [first(), other()]);
    expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
    expect(await host.registryManagement.registries()).toMatchObject([{ catalogue: { state: 'signed' } }]);
  });

  it.each<readonly [string, () => Signatures]>([
    ['the first alone', () => [first()]],
    ['the second alone', () => [other()]],
    ['one key under both names', () => [first(), { by: keys.root, as: second }]],
    ['one that the root does not name', () => [first(), { by: keys.targets }]],
  ])('is refused with %s', async (_who, signatures) => {
    await serveRoot(1, signatures());
    await refused('CATALOGUE_INVALID');
    expect(await host.files()).toEqual([]);
    // The refused root is not remembered: the real one is accepted afterwards, also by another run of the host.
    expect(await readdir(host.folders.trust).catch(() => [])).toEqual([]);
    await restart();
    await serveRoot(1, [first(), other()]);
    expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
  });

  it('is reached from a root of one key, and left again, each time with the signatures of both roots', async () => {
    await host.install('tiny', '1.0.0');
    await serveRoot(2, [first(), other()]);
    expect(await host.install('tiny', '1.1.0')).toMatchObject({ version: '1.1.0' });
    await catalogue.revoke({ versions: [{ package: name, version: '1.1.0', reason: 'It loses rows.' }] });
    // Back to one: neither the first alone nor the second alone decides that.
    for (const signatures of [[first()], [other()]]) {
      await serveRoot(3, signatures, [keys.root]);
      expect((await host.catalogue.refresh(never)).problem).toBeDefined();
      expect(await host.installed.current('tiny')).toMatchObject({ version: '1.1.0' });
    }
    await serveRoot(3, [first(), other()], [keys.root]);
    expect((await host.catalogue.refresh(never)).problem).toBeUndefined();
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_REVOKED' });
  });

  it.each<readonly [string, () => Signatures]>([
    ['the old key alone', () => [first()]],
    ['the new key alone', () => [other()]],
  ])('is not reached from a root of one key by %s', async (_who, signatures) => {
    await host.install('tiny', '1.0.0');
    await serveRoot(2, signatures());
    await refused('CATALOGUE_INVALID');
    await restart();
    await refused('CATALOGUE_INVALID');
    await serveRoot(2, [first(), other()]);
    expect(await host.install('tiny', '1.1.0')).toMatchObject({ version: '1.1.0' });
  });

  it('is not reached by two new keys without the old one', async () => {
    await host.install('tiny', '1.0.0');
    const third = await createSigningKey();
    await serveRoot(2, [other(), { by: third }], [second, third]);
    await refused('CATALOGUE_INVALID');
    await serveRoot(2, [first(), other(), { by: third }], [second, third]);
    expect(await host.install('tiny', '1.1.0')).toMatchObject({ version: '1.1.0' });
  });
});

describe('a hostile answer for a catalogue', () => {
  it.each(['timestamp.json', '1.root.json', '2.targets.json'])('that never ends is given up: %s', async (endless) => {
    serve = (file) =>
      file !== endless
        ? catalogue.file(file)
        : (response) => {
            const flood = (): void => {
              while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
            };
            response.on('drain', flood);
            flood();
          };
    await refused('CATALOGUE_INVALID', /more than/);
  });

  it('that trickles is given up', async () => {
    await restart({ times: { document: 2_000 } });
    let drip: NodeJS.Timeout | undefined;
    serve = (file) =>
      file !== 'timestamp.json'
        ? catalogue.file(file)
        : (response) => {
            drip = setInterval(() => response.write(' '), 50);
          };
    await refused('CATALOGUE_INVALID', /not complete after 2 seconds/);
    clearInterval(drip);
  });

  it.each(['<!doctype html><title>Sign in to this network</title>', '{}', '{"signed":{},"signatures":[]}'])(
    "that is invalid is rejected, and dropped if it can't be compared: %s",
    async (text) => {
      serve = () => text;
      await refused('CATALOGUE_INVALID');
      expect(await readdir(host.folders.trust).catch(() => [])).toEqual([]);
      serve = (file) => catalogue.file(file);
      expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
      // Once a catalogue was seen, the same answer changes nothing of what is remembered.
      serve = () => text;
      const remembered = await readdir(host.folders.trust);
      await expect(host.catalogue.refresh(never)).resolves.toMatchObject({ problem: expect.any(String) as string });
      expect(await readdir(host.folders.trust)).toEqual(remembered);
      expect(await host.installed.current('tiny')).toMatchObject({ version: '1.1.0' });
    },
  );

  it('that is a long chain of roots is followed in pieces', async () => {
    await host.install('tiny', '1.0.0');
    for (let times = 0; times < 40; times += 1) await catalogue.rotate(await createCatalogueKeys());
    proxy.asked.length = 0;
    await refused('CATALOGUE_INVALID');
    expect(proxy.asked.filter((line) => line.endsWith('.root.json')).length).toBeLessThanOrEqual(32);
    expect(await host.install('tiny', '1.1.0')).toMatchObject({ version: '1.1.0' });
  });

  it('that leads elsewhere is not followed', async () => {
    await using victim = await createRegistryProxy({ target: registry.url });
    await host.install('tiny', '1.0.0');
    serve = () => (response) => void response.writeHead(302, { location: victim.url }).end();
    await refused('CATALOGUE_INVALID');
    expect(victim.asked).toEqual([]);
  });
});

describe('what a catalogue lists', () => {
  it('is all that is installed: another archive under a listed name is refused', async () => {
    const [older, newer] = await Promise.all(['1.0.0', '1.1.0'].map((version) => listedPackage(registry, version)));
    edit = (document) => document.replaceAll(newer?.integrity ?? '-', older?.integrity ?? '-');
    await refused('PACKAGE_TAMPERED', /lists another archive/);
  });

  it('is all that is installed: a version that is not listed is refused, and not shown', async () => {
    const keys = await createCatalogueKeys();
    catalogue = await SignedCatalogue.open({ folder: join(folder, 'short'), keys });
    await catalogue.add([await listedPackage(registry, '1.0.0')]);
    await refused('CATALOGUE_INVALID', /does not list/);
    expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
    expect(await host.management.overview()).toMatchObject({ drivers: [{ id: 'tiny', updateOffered: false }] });
  });

  it('cannot be held back by the registry', async () => {
    edit = (document) => {
      const read = JSON.parse(document) as { versions: Record<string, unknown> };
      delete read.versions['1.1.0'];
      return JSON.stringify(read);
    };
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'CATALOGUE_INVALID' });
  });
});

describe('a revocation', () => {
  it('of a version takes it out of use, says why, and can be undone', async () => {
    await host.install('tiny');
    await catalogue.revoke({ versions: [{ package: name, version: '1.1.0', reason: 'It loses rows.\u202e' }] });
    const before = host.revocations();
    await host.catalogue.refresh(never);
    expect(host.revocations()).toBeGreaterThan(before);
    await expect(host.installed.current('tiny')).rejects.toMatchObject({
      code: 'DRIVER_REVOKED',
      message: expect.stringMatching(/It loses rows\.⟨U\+202E⟩/) as string,
    });
    await refused('DRIVER_REVOKED', /It loses rows/);
    await restart();
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_REVOKED' });
    await host.management.endRevoked();
    expect(host.stopped).toContain('tiny 1.1.0');
    await catalogue.revoke({ versions: [{ package: name, version: '1.1.0', reason: '' }] }, true);
    await host.catalogue.refresh(never);
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.1.0' });
  });

  it('of a key takes all that it signed out of use', async () => {
    await host.install('tiny');
    const { keyId } = (await host.management.keys())[0] ?? { keyId: '' };
    await catalogue.revoke({ keys: [{ keyId, reason: 'The key was stolen.' }] });
    await host.catalogue.refresh(never);
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_REVOKED' });
    await expect(host.install('tiny', '1.0.0')).rejects.toMatchObject({
      code: expect.stringMatching(/DOWNGRADE|REVOKED/) as string,
    });
    await host.management.remove('tiny');
    await refused('DRIVER_REVOKED', /stolen/);
  });
});

describe('a registry that was removed', () => {
  const save = (more: object = {}) =>
    host.registryManagement.saveRegistry(registryInputSchema.parse({ url: proxy.url, ...more }));
  beforeEach(async () => {
    await host.close();
    host = await newHost({ registries: () => [] });
    await save();
    await host.install('tiny');
  });

  it.each([false, true])('leaves its revocations for what came from there (after a restart: %s)', async (isAfterRestart) => {
    await catalogue.revoke({ versions: [{ package: name, version: '1.1.0', reason: 'It loses rows.' }] });
    await host.catalogue.refresh(never);
    await host.registryManagement.removeRegistry(proxy.url);
    if (isAfterRestart) await restart({ registries: () => [] });
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'DRIVER_REVOKED' });
  });

  it('revokes no file any more, since a person got rid of it', async () => {
    const archive = await (await fetch(new URL(`${name}/-/driver-tiny-1.1.0.tgz`, registry.url))).bytes();
    await host.management.remove('tiny');
    await catalogue.revoke({ versions: [{ package: name, version: '1.1.0', reason: 'Spite.' }] });
    await host.catalogue.refresh(never);
    await expect(host.installer.installFile(archive, 'tiny.tgz', { signal: never })).rejects.toMatchObject({
      code: 'DRIVER_REVOKED',
    });
    await host.registryManagement.removeRegistry(proxy.url);
    expect(await host.installer.installFile(archive, 'tiny.tgz', { signal: never })).toMatchObject({ version: '1.1.0' });
  });

  it('and added again cannot go back to an older catalogue, to none, or to one of other keys', async () => {
    const old = catalogueCopy(catalogue);
    await catalogue.revoke({ versions: [{ package: name, version: '1.0.0', reason: 'Old.' }] });
    await host.catalogue.refresh(never);
    await host.registryManagement.removeRegistry(proxy.url);
    await save();
    serve = (file) => old(file);
    await refused('CATALOGUE_INVALID', /older/);
    serve = () => undefined;
    await refused('CATALOGUE_INVALID', /had one before/);
    const other = await newCatalogue();
    serve = (file) => other.file(file);
    await refused('CATALOGUE_INVALID');
    // While it is in use no fingerprint replaces the catalogue either.
    await expect(save({ catalogueFingerprint: other.fingerprint })).rejects.toMatchObject({ code: 'CATALOGUE_INVALID' });
  });

  it('and added again with the fingerprint of a new catalogue is a new registry', async () => {
    const other = await newCatalogue();
    serve = (file) => other.file(file);
    await host.registryManagement.removeRegistry(proxy.url);
    await save({ catalogueFingerprint: other.fingerprint });
    expect(await host.install('tiny', '1.1.0')).toMatchObject({ version: '1.1.0' });
  });
});

describe('a registry without a signed catalogue', () => {
  beforeEach(() => {
    serve = () => undefined;
  });

  it('works as before, and is marked', async () => {
    expect(await host.install('tiny')).toMatchObject({ version: '1.1.0' });
    expect(await host.registryManagement.registries()).toMatchObject([{ catalogue: { state: 'unsigned' } }]);
  });

  it('is held to its catalogue from the moment that it has one', async () => {
    await host.install('tiny', '1.0.0');
    serve = (file) => catalogue.file(file);
    await host.catalogue.refresh(never);
    serve = () => undefined;
    await refused('CATALOGUE_INVALID', /had one before/);
  });
});
