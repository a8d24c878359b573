import { gunzipSync, gzipSync } from 'node:zlib';
import { createSigningKey, PACKAGE_LIMITS, packPackageFiles } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { signPackage } from '@tabularium/sdk/cli';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { HostError } from '../../../host/src/common/errors.ts';
import { verifyPackage } from '../../../host/src/runtime/drivers/packages/packageVerifier.ts';
import { readTarball } from '../../../host/src/runtime/drivers/packages/readTarball.ts';
import { tinyManifest } from '../../../registry/src/tinyDriver.test-helper.ts';
import { nearBytes } from './mutations.ts';

const text = new TextEncoder();
let files: PackageFiles;
let archive: Uint8Array;
let unpacked: Uint8Array;

beforeAll(async () => {
  const packageJson = {
    name: '@acme/tabularium-driver-tiny',
    version: '1.0.0',
    keywords: ['tabularium-driver'],
    exports: './dist/index.js',
    tabularium: tinyManifest('tiny'),
  };
  const content = new Map([
    ['package.json', text.encode(JSON.stringify(packageJson))],
    ['dist/index.js', text.encode('export const driver = {};\n'.repeat(50))],
    ['README.md', text.encode('# Tiny\n')],
  ]);
  files = await signPackage(content, { id: 'acme', name: 'Acme' }, await createSigningKey());
  archive = await packPackageFiles(files);
  unpacked = new Uint8Array(gunzipSync(archive));
});

/** The checks of an archive before any of it touches the disk. */
async function receive(bytes: Uint8Array): Promise<'accepted' | HostError> {
  try {
    const received = await readTarball(bytes, 'The package', AbortSignal.timeout(200_000));
    let total = 0;
    for (const content of received.values()) total += content.length;
    expect(total).toBeLessThanOrEqual(PACKAGE_LIMITS.totalBytes);
    await verifyPackage(received, 'The package');
    // Only what the publisher signed is accepted, to the byte.
    expect(new Map([...received].map(([path, content]) => [path, Buffer.from(content).toString('base64')]))).toEqual(
      new Map([...files].map(([path, content]) => [path, Buffer.from(content).toString('base64')])),
    );
    return 'accepted';
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return error;
  }
}

describe('an archive near a signed one', () => {
  it('is the starting point', async () => {
    expect(await receive(archive)).toBe('accepted');
    expect(await receive(gzipSync(unpacked))).toBe('accepted');
  });

  it('is refused by name when its compressed bytes changed, or is the same package', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constant(null).chain(() => nearBytes(archive)),
        async (bytes) => void (await receive(bytes)),
      ),
      { numRuns: 4_000 },
    );
  });

  it('is refused by name when the archive inside changed, or is the same package', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constant(null).chain(() => nearBytes(unpacked)),
        async (bytes) => {
          const outcome = await receive(gzipSync(bytes, { level: 1 }));
          if (outcome === 'accepted') return;
          refused += 1;
          expect(outcome.code).toMatch(/^(PACKAGE_|DRIVER_NOT_COMPATIBLE)/);
        },
      ),
      { numRuns: 6_000 },
    );
    expect(refused).toBeGreaterThan(1_000);
  });

  it('of any bytes at all is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4_096 }), fc.boolean(), async (bytes, zipped) => {
        expect(await receive(zipped ? gzipSync(bytes) : bytes)).toBeInstanceOf(HostError);
      }),
      { numRuns: 3_000 },
    );
  });
});
