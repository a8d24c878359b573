import { describe, expect, it } from 'vitest';
import { createSigningKey } from './keys.ts';
import {
  pathInPlatformFolder,
  PLATFORM_LIMITS,
  platformConstraints,
  platformOf,
  platformPackageJson,
  platformSchema,
  readPlatformPackageJson,
} from './platforms.ts';
import { signPackageFiles } from './sign.ts';
import { SIGNATURE_FILE } from './signature.ts';
import { verifyPackageHashes } from './verify.ts';
import { integrityOf } from './files.ts';

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const driver = { name: '@acme/driver-x', version: '1.2.3', license: 'MIT', dependencies: { no: '1' } };

describe('a platform', () => {
  it.each(['linux-x64', 'linux-arm64-musl', 'darwin-arm64', 'win32-x64'])('may be %s', (name) => {
    expect(platformSchema.safeParse(name).success).toBe(true);
  });

  it.each(['linux', 'windows-x64', 'linux-amd64', 'darwin-arm64-musl', '../x', 'linux-x64/..', 'LINUX-X64', 'linux-x64-glibc'])(
    'may not be %s',
    (name) => {
      expect(platformSchema.safeParse(name).success).toBe(false);
    },
  );

  it('is named by system, processor and C library', () => {
    expect(platformOf('linux', 'x64', '2.36')).toBe('linux-x64');
    expect(platformOf('linux', 'x64', undefined)).toBe('linux-x64-musl');
    expect(platformOf('darwin', 'arm64', undefined)).toBe('darwin-arm64');
    expect(platformConstraints('linux-x64')).toEqual({ os: ['linux'], cpu: ['x64'], libc: ['glibc'] });
    expect(platformConstraints('linux-arm64-musl')).toEqual({ os: ['linux'], cpu: ['arm64'], libc: ['musl'] });
    expect(platformConstraints('win32-x64')).toEqual({ os: ['win32'], cpu: ['x64'] });
  });

  it('has a folder in the driver, whatever the letter case', () => {
    expect(pathInPlatformFolder('platform/a/b.node')).toBe('a/b.node');
    expect(pathInPlatformFolder('Platform/x')).toBe('x');
    expect(pathInPlatformFolder('platforms/x')).toBeUndefined();
    expect(pathInPlatformFolder('dist/platform/x')).toBeUndefined();
  });
});

describe('a platform package', () => {
  const json = platformPackageJson(driver, 'linux-x64');

  it('says what npm and a host need, and nothing else of the driver', () => {
    expect(json).toEqual({
      name: '@acme/driver-x-linux-x64',
      version: '1.2.3',
      description: 'The files of @acme/driver-x for linux-x64. Tabularium installs them with it.',
      license: 'MIT',
      os: ['linux'],
      cpu: ['x64'],
      libc: ['glibc'],
      tabulariumPlatform: { driver: '@acme/driver-x', platform: 'linux-x64' },
    });
    expect(readPlatformPackageJson(encode(JSON.stringify(json)))).toEqual({
      ok: true,
      packageJson: { name: '@acme/driver-x-linux-x64', version: '1.2.3', driver: '@acme/driver-x', platform: 'linux-x64' },
    });
  });

  it.each([
    [encode('{'), /not JSON/],
    [encode(' '.repeat(70_000)), /larger than/],
    [{ name: 'x' }, /no "tabulariumPlatform"/],
    [{ ...json, name: '@acme/other' }, /names the package "@acme\/other", not "@acme\/driver-x-linux-x64"/],
    [{ ...json, os: ['win32'] }, /"os": \["win32"\]/],
    [{ ...json, libc: undefined }, /"libc": null/],
    [{ ...json, tabulariumPlatform: { driver: 'x', platform: 'amiga' } }, /tabulariumPlatform\.platform/],
  ])('is refused with %#', (value, message) => {
    const read = readPlatformPackageJson(value);
    expect(read.ok ? '' : read.problem).toMatch(message);
  });

  it('is signed and verified with larger limits than a driver', async () => {
    const files = new Map([
      ['package.json', encode(JSON.stringify(json))],
      ...Array.from({ length: PLATFORM_LIMITS.files - 1 }, (_, index) => [`${index}.so`, encode('x')] as const),
    ]);
    const signature = await signPackageFiles(files, { id: 'acme', name: 'Acme' }, await createSigningKey());
    const hashes = new Map(
      await Promise.all(
        Array.from(files, async ([path, bytes]) => [path, { bytes: bytes.length, integrity: await integrityOf(bytes) }] as const),
      ),
    );
    const verify = (own: typeof hashes, limits?: typeof PLATFORM_LIMITS) =>
      verifyPackageHashes(signature, own, limits === undefined ? {} : { limits });
    expect(await verify(hashes, PLATFORM_LIMITS)).toMatchObject({ ok: true });
    expect(await verify(hashes)).toMatchObject({ ok: false, message: expect.stringContaining('more than 32 files') as string });
    expect(await verifyPackageHashes(undefined, hashes)).toMatchObject({ ok: false, fault: 'unsigned' });
    const more = new Map(hashes).set('more.so', { bytes: 1, integrity: 'sha512-x' });
    more.delete('0.so');
    expect(await verify(more, PLATFORM_LIMITS)).toMatchObject({ ok: false, message: 'The signed file "0.so" is missing.' });
    const huge = new Map(hashes).set('0.so', {
      bytes: PLATFORM_LIMITS.fileBytes + 1,
      integrity: hashes.get('0.so')?.integrity ?? '',
    });
    expect(await verify(huge, PLATFORM_LIMITS)).toMatchObject({
      ok: false,
      message: expect.stringContaining('larger than') as string,
    });
    const wrong = new Map(files).set('package.json', encode(JSON.stringify({ ...json, os: ['win32'] })));
    wrong.delete(SIGNATURE_FILE);
    await expect(signPackageFiles(wrong, { id: 'acme', name: 'Acme' }, await createSigningKey())).rejects.toThrow('"os"');
  });
});
