import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createSigningKey, fingerprintOf, keyIdOf, SIGNATURE_FILE } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { LOCAL_PUBLISHER, packPackage, signPackage } from '@tabularium/registry';
import type { RunningRegistry, PackedDriver } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { archiveOf, packedAs } from './packageArchive.ts';
import type { ArchiveEntry } from './packageArchive.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';
import { manifestFor, signUnchecked } from './packageSigner.ts';

let registry: RunningRegistry;
let host: PackageHost;
let number = 0;
let id: string;

beforeAll(async () => {
  registry = await createRegistry();
});
afterAll(() => registry.close());
beforeEach(async () => {
  id = `driver-${(number += 1)}`;
  host = await createPackageHost({ registryFile: registry.registryJsonPath });
});
afterEach(() => host.close());

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const signed = (files: PackageFiles): Promise<PackageFiles> => signPackage(files, LOCAL_PUBLISHER, registry.signingKey);
const entriesOf = (files: PackageFiles): ArchiveEntry[] =>
  Array.from(files, ([path, content]) => ({ path: `package/${path}`, content }));

/** Publishes a good package whose archive has these entries beside its own. */
async function publishWith(...extra: ArchiveEntry[]): Promise<void> {
  const packed = await packPackage(await signed(tinyDriver({ id })));
  await registry.publishPacked(packedAs(packed, archiveOf([...entriesOf(packed.files), ...extra])));
}

/** The archive in the registry's storage. */
function storedArchive(): string {
  return join(registry.storageFolder, '@tabularium-test', `driver-${id}`, `driver-${id}-1.0.0.tgz`);
}

/** Installs, expects a refusal, and that nothing of the package is anywhere in the home. */
async function refused(code: string, message?: string | RegExp): Promise<void> {
  const before = await readdir(host.home, { recursive: true });
  const error: unknown = await host.install(id).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'HostError', code });
  if (message !== undefined) expect((error as Error).message).toMatch(message);
  expect(await host.files()).toEqual([]);
  expect(host.records.list()).toEqual([]);
  const left = (await readdir(host.home, { recursive: true })).filter(
    (path) =>
      !before.includes(path) &&
      !/^(drivers|cache|cache.registry|cache.registry.[0-9a-f]{64}\.json|trust|trust.[0-9a-f]{64}\.json|tabularium\.db-(wal|shm))$/.test(
        path,
      ),
  );
  expect(left).toEqual([]);
}

describe('a package whose bytes are not those that were published', () => {
  it('is refused when its archive was changed in the registry', async () => {
    await registry.publish(tinyDriver({ id }));
    const changed = Buffer.from(
      gunzipSync(await readFile(storedArchive()))
        .toString('latin1')
        .replace('no tiny database', 'my tiny database'),
      'latin1',
    );
    await writeFile(storedArchive(), gzipSync(changed));
    await refused('PACKAGE_TAMPERED', /SHA-512/);
  });

  it('is refused when its archive ends early in the registry', async () => {
    await registry.publish(tinyDriver({ id }));
    const archive = await readFile(storedArchive());
    await writeFile(storedArchive(), archive.subarray(0, archive.length - 200));
    await refused('PACKAGE_TRUNCATED', /ended early/);
  });

  it('is refused when it is an archive that ends early but has the hash that the registry announces', async () => {
    const packed = await packPackage(await signed(tinyDriver({ id })));
    await registry.publishPacked(packedAs(packed, packed.tarball.subarray(0, packed.tarball.length - 200)));
    await refused('PACKAGE_TRUNCATED');
  });

  it("is refused when it isn't an archive", async () => {
    const packed = await packPackage(await signed(tinyDriver({ id })));
    await registry.publishPacked(packedAs(packed, Buffer.from('This is no archive, whatever its name says.')));
    await refused('PACKAGE_INVALID', /isn't a readable archive/);
  });
});

describe('a package whose files are not those that were signed', () => {
  const publishFiles = async (change: (files: Map<string, Uint8Array<ArrayBuffer>>) => void): Promise<void> => {
    const files = new Map(await signed(tinyDriver({ id })));
    change(files);
    await registry.publishPacked(await packPackage(files));
  };

  it('is refused without a signature', async () => {
    await registry.publishPacked(await packPackage(tinyDriver({ id })));
    await refused('PACKAGE_UNSIGNED');
  });

  it('is refused when a file was changed after signing', async () => {
    await publishFiles((files) => files.set('dist/index.js', bytes('export const driver = globalThis;')));
    await refused('PACKAGE_SIGNATURE_INVALID', /dist\/index\.js.*not the one that was signed/);
  });

  it('is refused when a file was added', async () => {
    await publishFiles((files) => files.set('dist/more.js', bytes('export {};')));
    await refused('PACKAGE_SIGNATURE_INVALID', /dist\/more\.js.*not signed/);
  });

  it('is refused when a file is missing', async () => {
    const files = new Map(await signed(tinyDriver({ id, files: { 'README.md': 'Words.' } })));
    files.delete('README.md');
    await registry.publishPacked(await packPackage(files));
    await refused('PACKAGE_SIGNATURE_INVALID', /README\.md.*missing/);
  });

  it('is rejected when a key that signs for another publisher made the signature', async () => {
    const stranger = await createSigningKey();
    const files = await signPackage(tinyDriver({ id }), LOCAL_PUBLISHER, stranger);
    const signature = JSON.parse(new TextDecoder().decode(files.get(SIGNATURE_FILE))) as Record<string, unknown>;
    const forged = { ...signature, keyId: await keyIdOf(registry.publisher.publicKey), publicKey: registry.publisher.publicKey };
    await registry.publishPacked(await packPackage(new Map(files).set(SIGNATURE_FILE, bytes(JSON.stringify(forged)))));
    await refused('PACKAGE_SIGNATURE_INVALID', /does not fit/);
  });

  it('is refused when the signature carries another key than it names', async () => {
    const stranger = await createSigningKey();
    const files = await signPackage(tinyDriver({ id }), LOCAL_PUBLISHER, stranger);
    const signature = JSON.parse(new TextDecoder().decode(files.get(SIGNATURE_FILE))) as Record<string, unknown>;
    const forged = { ...signature, keyId: await keyIdOf(registry.publisher.publicKey) };
    await registry.publishPacked(await packPackage(new Map(files).set(SIGNATURE_FILE, bytes(JSON.stringify(forged)))));
    await refused('PACKAGE_SIGNATURE_INVALID', /names a key/);
  });

  it('is refused when the signature is of a newer form', async () => {
    await publishFiles((files) => files.set(SIGNATURE_FILE, bytes('{"formatVersion":2}')));
    await refused('DRIVER_NOT_COMPATIBLE', /Update Tabularium/);
  });
});

describe('an untrusted key', () => {
  it('is refused by its fingerprint', async () => {
    const stranger = await createSigningKey();
    const publisher = { id: 'stranger', name: 'A Stranger' };
    await registry.publishPacked(await packPackage(await signPackage(tinyDriver({ id }), publisher, stranger)));
    await refused('PACKAGE_KEY_UNKNOWN', new RegExp(`A Stranger.*${fingerprintOf(await keyIdOf(stranger.publicKey))}`));
  });

  it('is refused although the package calls itself by the name of a trusted publisher', async () => {
    const stranger = await createSigningKey();
    await registry.publishPacked(await packPackage(await signPackage(tinyDriver({ id }), LOCAL_PUBLISHER, stranger)));
    await refused('PACKAGE_KEY_UNKNOWN');
  });

  it('is refused once it is revoked', async () => {
    await registry.publish(tinyDriver({ id }));
    host.trust.revoke(await keyIdOf(registry.publisher.publicKey));
    await refused('PACKAGE_KEY_REVOKED');
  });
});

describe('an archive that reaches for more than its own folder', () => {
  it('is refused when it holds a symbolic link', async () => {
    await publishWith({ path: 'package/dist/passwd', type: 'SymbolicLink', linkpath: '/etc/passwd' });
    await refused('PACKAGE_INVALID', /dist\/passwd.*SymbolicLink/);
  });

  it('is refused when it holds a hard link', async () => {
    await publishWith({ path: 'package/dist/copy.js', type: 'Link', linkpath: 'package/dist/index.js' });
    await refused('PACKAGE_INVALID', /Link/);
  });

  it('is refused when it holds a device', async () => {
    await publishWith({ path: 'package/dist/null', type: 'CharacterDevice' });
    await refused('PACKAGE_INVALID', /CharacterDevice/);
  });

  it.each([
    'package/../../escaped.js',
    'package/dist/../../../escaped.js',
    '/tmp/escaped.js',
    'elsewhere/escaped.js',
    'package/.hidden',
    'package/C:\\escaped.js',
    'package/dist/con.js',
  ])('is refused when it holds the path %s', async (path) => {
    await publishWith({ path, content: 'escaped' });
    await refused('PACKAGE_INVALID');
  });

  it('is refused when a path comes twice, so that two readers would see two files', async () => {
    await publishWith({ path: 'package/dist/index.js', content: 'second' });
    await refused('PACKAGE_INVALID', /twice/);
  });

  it('is refused when two paths differ in letter case only', async () => {
    await publishWith({ path: 'package/dist/Index.js', content: 'second' });
    await refused('PACKAGE_INVALID', /letter case/);
  });

  it('is refused when it has too many files', async () => {
    await publishWith(...Array.from({ length: 40 }, (_, index) => ({ path: `package/dist/${index}.js`, content: '' })));
    await refused('PACKAGE_INVALID', /more than 32 files/);
  });

  it('is refused when it unpacks to far more than it weighs', async () => {
    const packed = await packPackage(await signed(tinyDriver({ id })));
    const bomb = archiveOf([
      ...entriesOf(packed.files),
      { path: 'package/dist/bomb.js', content: Buffer.alloc(40 * 1024 * 1024) },
    ]);
    expect(bomb.length).toBeLessThan(100_000);
    await registry.publishPacked(packedAs(packed, bomb));
    await refused('PACKAGE_INVALID', /larger than/);
  });
});

describe('a package that is not what a driver package is', () => {
  const publishSigned = async (files: PackageFiles): Promise<void> => {
    await registry.publishPacked(await packPackage(await signUnchecked(files, LOCAL_PUBLISHER, registry.signingKey)));
  };

  it.each(['preinstall', 'install', 'postinstall', 'prepare'])('is refused with the lifecycle script %s', async (script) => {
    await publishSigned(tinyDriver({ id, packageJson: { scripts: { [script]: 'node -e 1' } } }));
    await refused('PACKAGE_INVALID', new RegExp(`lifecycle script "${script}"`));
  });

  it.each(['dependencies', 'optionalDependencies', 'peerDependencies'])('is refused with %s', async (field) => {
    await publishSigned(tinyDriver({ id, packageJson: { [field]: { 'left-pad': '1.3.0' } } }));
    await refused('PACKAGE_INVALID', new RegExp(`"${field}"`));
  });

  it.each(['../../../escaped.js', './dist/absent.js'])('is refused when its entry is %s', async (entry) => {
    await publishSigned(tinyDriver({ id, packageJson: { exports: entry } }));
    await refused('PACKAGE_INVALID', /entry/);
  });

  it('is refused when the archive is another, rightly signed package', async () => {
    const other = await packPackage(await signed(tinyDriver({ id: 'other' })));
    const announced = await packPackage(await signed(tinyDriver({ id })));
    await registry.publishPacked(packedAs(announced, other.tarball));
    await refused('PACKAGE_TAMPERED', /contains @tabularium-test\/driver-other 1\.0\.0/);
  });

  it('is refused when the archive is an older, rightly signed version of the same package', async () => {
    const older = await packPackage(await signed(tinyDriver({ id, version: '0.9.0' })));
    const announced = await packPackage(await signed(tinyDriver({ id })));
    await registry.publishPacked(packedAs(announced, older.tarball));
    await refused('PACKAGE_TAMPERED', /contains .* 0\.9\.0/);
  });

  it('is refused when the registry shows people another manifest than the signed one', async () => {
    const packed: PackedDriver = await packPackage(
      await signed(tinyDriver({ id, manifest: { permissions: { unconfined: { reason: 'Everything.' } } } })),
    );
    const harmless = JSON.parse(new TextDecoder().decode(tinyDriver({ id }).get('package.json'))) as PackedDriver['packageJson'];
    await registry.publishPacked({ ...packed, packageJson: harmless });
    await refused('PACKAGE_TAMPERED', /has a manifest that differs/);
  });
});

describe('a driver that this host cannot run', () => {
  it('is refused when its contract is out of range, with what to update', async () => {
    await registry.publish(tinyDriver({ id, sdk: '^2.0' }));
    await refused('DRIVER_NOT_COMPATIBLE', /Version 1\.0\.0 needs a newer Tabularium \(contract \^2\.0; this one has 1\./);
  });

  it('is refused when its manifest is of a newer version', async () => {
    const files = tinyDriver({ id, manifest: { manifestVersion: 2 } });
    const packed = await packPackage(await signUnchecked(files, LOCAL_PUBLISHER, registry.signingKey));
    await registry.publishPacked(packed);
    await host.close();
    host = await createPackageHost({
      registryFile: registry.registryJsonPath,
      seed: [{ packageName: packed.packageJson.name, manifest: manifestFor(id) }],
    });
    await refused('DRIVER_NOT_COMPATIBLE', /Update Tabularium/);
  });

  it('is refused when it does not start', async () => {
    await registry.publish(tinyDriver({ id }));
    host.trialLoader.behaviour = () => Promise.reject(new Error('SyntaxError'));
    await refused('PACKAGE_FAILED_TRIAL');
  });
});

describe('an unknown driver', () => {
  it('is unknown', async () => {
    await refused('DRIVER_UNKNOWN');
  });

  it('has no such version', async () => {
    await registry.publish(tinyDriver({ id }));
    await expect(host.install(id, '7.0.0')).rejects.toMatchObject({ code: 'PACKAGE_NOT_FOUND' });
  });
});
