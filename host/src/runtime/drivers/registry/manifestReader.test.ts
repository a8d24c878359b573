import { createSigningKey } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { signPackage } from '@tabularium/sdk/cli';
import { describe, expect, it } from 'vitest';
import { tinyManifest } from '../../../../../registry/src/tinyDriver.test-helper.ts';
import { verifyPackage } from '../packages/packageVerifier.ts';
import { manifestReader } from './manifestReader.ts';
import { manifestOfDocument } from './registryDocument.ts';
import type { RegistryVersion } from './registryDocument.ts';

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function signed(tabularium: unknown): Promise<PackageFiles> {
  const packageJson = { name: '@acme/tiny', version: '1.0.0', exports: './dist/index.js', tabularium };
  const files = new Map([
    ['package.json', encode(JSON.stringify(packageJson))],
    ['dist/index.js', encode('export const driver = {};')],
  ]);
  return signPackage(files, { id: 'acme', name: 'Acme' }, await createSigningKey());
}

const announcing = (tabularium: unknown): RegistryVersion => ({
  version: '1.0.0',
  tabularium,
  dist: { tarball: 'https://registry.example/tiny.tgz' },
});

describe('the manifest of a package', () => {
  it('is not read again where it is the one that the registry announced', async () => {
    const version = announcing(JSON.parse(JSON.stringify(tinyManifest('tiny'))));
    const announced = manifestOfDocument(version);
    const { packageJson } = await verifyPackage(await signed(tinyManifest('tiny')), 'The package', manifestReader(version));
    expect(announced.ok && packageJson.manifest === announced.manifest).toBe(true);
  });

  it.each([
    ['another title', { title: 'Another' }],
    ['a member more', { tagline: 'More than was announced.' }],
  ])('is its own where it has %s', async (_what, change) => {
    const own = { ...tinyManifest('tiny'), ...change };
    const { packageJson } = await verifyPackage(
      await signed(own),
      'The package',
      manifestReader(announcing(tinyManifest('tiny'))),
    );
    expect(packageJson.manifest).toMatchObject(change);
  });
});
