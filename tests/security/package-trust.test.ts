import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigningKey, fingerprintOf, keyIdOf } from '@tabularium/sdk/package';
import type { SigningKey } from '@tabularium/sdk/package';
import { packPackage, signPackage } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registrySource } from '../../host/src/runtime/drivers/trust/registrySource.ts';
import { readBuiltInPublishers } from '../../host/src/runtime/drivers/trust/builtInPublishers.ts';
import { knownPublisher } from '../../host/src/runtime/drivers/trust/knownPublisher.ts';
import { readLocalRegistry } from '../../host/src/runtime/drivers/trust/localRegistry.ts';
import { UnknownPublisherError } from '../../host/src/runtime/drivers/trust/publisherTrust.ts';
import { root } from '../../scripts/paths.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';

const acme = { id: 'acme', name: 'Acme Databases' };

let registry: RunningRegistry;
let key: SigningKey;
let keyId: string;
let host: PackageHost;

beforeAll(async () => {
  [registry, key] = await Promise.all([createRegistry(), createSigningKey()]);
  keyId = await keyIdOf(key.publicKey);
  await registry.publishPacked(await packPackage(await signPackage(tinyDriver({ id: 'acme' }), acme, key)));
  await registry.publish(tinyDriver());
});
afterAll(() => registry.close());
/** A registry like any other: what the local registry's file would vouch for counts for nothing. */
const registries = () => [registrySource(registry.url)];
beforeEach(async () => {
  host = await createPackageHost({ registries });
});
afterEach(() => host.close());

describe("a third party's key", () => {
  it('is trusted under the name that was shown, or not at all', async () => {
    await host.install('acme').catch(() => undefined);
    // While the question is open, another archive of the same key gives itself another name.
    const renamed = await packPackage(
      await signPackage(tinyDriver({ id: 'other' }), { id: 'tabularium', name: 'Tabularium Team' }, key),
    );
    await host.installer
      .installFile(renamed.tarball, 'other.tgz', { signal: AbortSignal.timeout(200_000) })
      .catch(() => undefined);
    await expect(host.management.trustKey(keyId, acme)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(host.install('acme')).rejects.toMatchObject({ code: 'PACKAGE_KEY_UNKNOWN' });
    expect(await host.management.trustKey(keyId, acme)).toMatchObject(acme);
  });

  it('is asked about once: refused by its fingerprint, trusted, then installed also after a restart', async () => {
    const error: unknown = await host.install('acme').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnknownPublisherError);
    const { publisher, message } = error as UnknownPublisherError;
    expect(publisher).toEqual({ ...acme, publicKey: key.publicKey, keyId });
    expect(message).toContain(fingerprintOf(keyId));

    const trusted = { ...acme, fingerprint: fingerprintOf(keyId), origin: 'thirdParty' };
    expect(await host.trust.trust(publisher)).toEqual(trusted);
    expect(await host.install('acme')).toMatchObject({ publisher: trusted });
    expect(host.trust.list()).toMatchObject([{ ...acme, keyId, addedAt: expect.any(String) as string }]);

    await host.stop();
    host = await createPackageHost({ registries, home: host.home });
    expect(await host.installed.current('acme')).toMatchObject({ publisher: trusted });
  });

  it('stops loading when it is revoked, and loads again when it is trusted again', async () => {
    await host.trust.trust({ ...acme, publicKey: key.publicKey });
    await host.install('acme');
    host.trust.revoke(keyId);
    expect(host.trust.list()).toMatchObject([{ keyId, revokedAt: expect.any(String) as string }]);
    await expect(host.installed.current('acme')).rejects.toMatchObject({ code: 'PACKAGE_KEY_REVOKED' });
    await host.trust.trust({ ...acme, publicKey: key.publicKey });
    expect(await host.installed.current('acme')).toMatchObject({ id: 'acme' });
  });

  it('is shown by the name it was trusted under, not by the one that a package gives itself', async () => {
    const files = await signPackage(tinyDriver({ id: 'posing' }), { id: 'tabularium', name: 'Tabularium' }, key);
    await registry.publishPacked(await packPackage(files));
    await host.trust.trust({ ...acme, publicKey: key.publicKey });
    expect(await host.install('posing')).toMatchObject({ publisher: { ...acme, origin: 'thirdParty' } });
  });

  it('must be a key', async () => {
    await expect(host.trust.trust({ ...acme, publicKey: 'AAAA' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('a first-party key', () => {
  it('counts in every registry, until it is revoked', async () => {
    await host.close();
    host = await createPackageHost({
      registries,
      builtIn: [await knownPublisher({ id: 'first', name: 'First Party', publicKey: key.publicKey })],
    });
    expect(await host.install('acme')).toMatchObject({ publisher: { id: 'first', origin: 'firstParty' } });
    host.trust.revoke(keyId);
    await expect(host.installed.current('acme')).rejects.toMatchObject({ code: 'PACKAGE_KEY_REVOKED' });
  });

  it('is read from the file that comes with the host', async () => {
    const publishers = await readBuiltInPublishers(join(root, 'host/catalogue/publishers.json'));
    for (const publisher of publishers) expect(publisher.keyId).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("the local registry's file", () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tabularium-file-'));
    file = join(folder, 'registry.json');
    await writeFile(file, await readFile(registry.registryJsonPath), { mode: 0o600 });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is read each time, so that a registry may start after the host', async () => {
    await host.close();
    const late = join(folder, 'late.json');
    host = await createPackageHost({ registryFile: late });
    await expect(host.install('tiny')).rejects.toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
      message: expect.stringContaining('No driver registry') as string,
    });
    await writeFile(late, await readFile(file), { mode: 0o600 });
    expect(await host.install('tiny')).toMatchObject({ publisher: { origin: 'localRegistry' } });
  });

  it('counts for nothing when others can write it', async () => {
    expect(await readLocalRegistry(file)).toMatchObject({ url: registry.url });
    await chmod(file, 0o666);
    expect(await readLocalRegistry(file)).toBeUndefined();
  });

  it.each([
    ['names another machine', (text: string) => text.replace('127.0.0.1', '192.0.2.1')],
    ['is of a newer form', (text: string) => text.replace('"formatVersion": 1', '"formatVersion": 2')],
    ['is half written', (text: string) => text.slice(0, 60)],
  ])('counts for nothing when it %s', async (_what, change) => {
    await writeFile(file, change(await readFile(file, 'utf8')));
    expect(await readLocalRegistry(file)).toBeUndefined();
  });

  it('trusts a recreated registry with another key', async () => {
    const other = await createRegistry();
    try {
      await other.publish(tinyDriver({ version: '1.0.1' }));
      await host.close();
      host = await createPackageHost({ registryFile: file });
      const first = await host.install('tiny');
      await writeFile(file, await readFile(other.registryJsonPath), { mode: 0o600 });
      const second = await host.install('tiny');
      expect(second.version).toBe('1.0.1');
      expect(second.publisher.fingerprint).not.toBe(first.publisher.fingerprint);
      expect(await host.installed.get('tiny', first.version)).toEqual(first);
    } finally {
      await other.close();
    }
  });
});
