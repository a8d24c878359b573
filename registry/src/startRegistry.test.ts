import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyIdOf, SIGNATURE_FILE, verifyPackageFiles } from '@tabularium/sdk/package';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packPackage, signPackage } from '@tabularium/sdk/cli';
import { z } from 'zod';
import { publishedVersions, publishPackage } from './publish.ts';
import { readRegistryFile } from './registryFile.ts';
import { LOCAL_PUBLISHER, startRegistry } from './startRegistry.ts';
import type { RunningRegistry } from './startRegistry.ts';
import { tinyDriver } from './tinyDriver.test-helper.ts';

/** How long the registry holds a connection without a request. */
const IDLE_MILLISECONDS = 5_000;

let stateFolder: string;
let registry: RunningRegistry;

beforeAll(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'tabularium-registry-'));
  registry = await startRegistry({ stateFolder });
});
afterAll(async () => {
  await registry.close();
  await rm(stateFolder, { recursive: true, force: true });
});

describe('the local registry', () => {
  it('says where it is, and keeps its private key to itself', async () => {
    expect(await readRegistryFile(registry.registryJsonPath)).toEqual({
      formatVersion: 1,
      url: registry.url,
      publisher: { ...LOCAL_PUBLISHER, publicKey: registry.publisher.publicKey },
      catalogueRoot: registry.catalogue.file('1.root.json'),
      pid: process.pid,
    });
    expect((await stat(join(stateFolder, 'signing-key.json'))).mode & 0o777).toBe(0o600);
    expect(await readFile(registry.registryJsonPath, 'utf8')).not.toContain(registry.signingKey.privateKey);
    expect((await stat(join(stateFolder, 'catalogue-keys.json'))).mode & 0o777).toBe(0o600);
  });

  it('publishes a driver once, and what changed at the same version as the next patch', async () => {
    const name = '@tabularium-test/driver-patches';
    const first = tinyDriver({ id: 'patches', version: '0.3.0' });
    expect(await registry.publish(first)).toEqual({ name, version: '0.3.0', changed: true });
    expect(await registry.publish(first)).toEqual({ name, version: '0.3.0', changed: false });

    const edited = tinyDriver({ id: 'patches', version: '0.3.0', files: { 'README.md': 'More words.' } });
    expect(await registry.publish(edited)).toEqual({ name, version: '0.3.1', changed: true });
    expect(await registry.publish(edited)).toEqual({ name, version: '0.3.1', changed: false });
    expect(await registry.publish(first)).toEqual({ name, version: '0.3.2', changed: true });

    const released = tinyDriver({ id: 'patches', version: '0.4.0' });
    expect(await registry.publish(released)).toEqual({ name, version: '0.4.0', changed: true });
    expect([...(await publishedVersions(registry.url, name)).keys()]).toEqual(['0.3.0', '0.3.1', '0.3.2', '0.4.0']);
  });

  it('publishes after it was busy for longer than an idle connection lives', async () => {
    const { signingKey, publisher } = registry;
    const packed = await packPackage(await signPackage(tinyDriver({ id: 'busy' }), publisher, signingKey));
    await registry.publish(tinyDriver({ id: 'first' }));
    // As packing a large archive does: nothing else runs, and what came due meanwhile is late.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, IDLE_MILLISECONDS + 1_000);
    await registry.publishPacked(packed);
  });

  it('hands out the manifest in the full document and finds drivers', async () => {
    const { name } = await registry.publish(tinyDriver({ id: 'found' }));
    const document: unknown = await (await fetch(new URL(name.replace('/', '%2f'), registry.url))).json();
    expect(document).toMatchObject({
      versions: {
        '1.0.0': { tabularium: { id: 'found', sdk: '^1.0' }, dist: { integrity: expect.stringMatching(/^sha512-/) as string } },
      },
    });
    // verdaccio looks for each word in name and description, not in the keywords.
    const found: unknown = await (await fetch(new URL('-/v1/search?text=tabularium%20driver', registry.url))).json();
    const { objects } = z
      .object({ objects: z.array(z.object({ package: z.object({ name: z.string(), keywords: z.array(z.string()) }) })) })
      .parse(found);
    expect(objects.map((object) => object.package)).toContainEqual(
      expect.objectContaining({ name, keywords: ['tabularium-driver'] }),
    );
  });

  it('denies publishing and registering to others', async () => {
    const stranger = await fetch(new URL('-/user/org.couchdb.user:stranger', registry.url), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'stranger', password: 'long enough 123' }),
    });
    expect(stranger.ok).toBe(false);
    const packed = await packPackage(tinyDriver({ id: 'stranger' }));
    await expect(publishPackage({ url: registry.url, token: 'wrong' }, packed)).rejects.toThrow(/rejected.*status 40[13]/);
  });

  it('refuses a second registry on the same folder', async () => {
    await expect(startRegistry({ stateFolder })).rejects.toThrow(`already runs on ${stateFolder}: ${registry.url}`);
  });
});

describe('a registry that is started again', () => {
  it('signs with the same key and keeps published packages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tabularium-registry-'));
    try {
      const before = await startRegistry({ stateFolder: folder });
      await before.publish(tinyDriver());
      await before.close();
      await expect(stat(before.registryJsonPath)).rejects.toMatchObject({ code: 'ENOENT' });

      const after = await startRegistry({ stateFolder: folder });
      try {
        expect(after.publisher).toEqual(before.publisher);
        expect(await after.publish(tinyDriver())).toMatchObject({ changed: false });
      } finally {
        await after.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('packing', () => {
  it('gives the same bytes for the same files and signs each of them', async () => {
    const pack = async () => packPackage(await signPackage(tinyDriver(), LOCAL_PUBLISHER, registry.signingKey));
    const [one, two] = [await pack(), await pack()];
    expect(one.tarball.equals(two.tarball)).toBe(true);
    expect([...one.files.keys()].sort()).toEqual(['dist/index.js', 'package.json', SIGNATURE_FILE]);
    const verified = await verifyPackageFiles(one.files);
    expect(verified).toMatchObject({ ok: true, signature: { keyId: await keyIdOf(registry.publisher.publicKey) } });
  });
});
