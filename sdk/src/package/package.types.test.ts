import { expectTypeOf, it } from 'vitest';
import type { Manifest, ManifestResult } from '../manifest.ts';
import type {
  createSigningKey,
  DriverPackageJson,
  PackageCryptography,
  PackageFiles,
  PackageJsonResult,
  PackageSignature,
  packPackageFiles,
  parseDriverPackageJson,
  Publisher,
  readDriverPackageJson,
  RegistryFile,
  signPackageFiles,
  SigningKey,
  VerificationResult,
  verifyPackageFiles,
} from './index.ts';

it('files are bytes by path, and read-only', () => {
  expectTypeOf<Map<string, Uint8Array<ArrayBuffer>>>().toExtend<PackageFiles>();
  expectTypeOf<Map<string, string>>().not.toExtend<PackageFiles>();
  expectTypeOf<PackageFiles>().not.toHaveProperty('set');
});

it('signing takes files, a publisher and both halves of a key, and gives the bytes of one file', () => {
  expectTypeOf<typeof signPackageFiles>().toEqualTypeOf<
    (files: PackageFiles, publisher: Publisher, key: SigningKey) => Promise<Uint8Array<ArrayBuffer>>
  >();
  expectTypeOf<typeof createSigningKey>().toEqualTypeOf<() => Promise<SigningKey>>();
  // A public key alone signs nothing.
  expectTypeOf<{ publicKey: string }>().not.toExtend<SigningKey>();
});

it('verifying never throws: a signature, or why there is none that counts', () => {
  expectTypeOf<typeof verifyPackageFiles>().toEqualTypeOf<
    (files: PackageFiles, cryptography?: PackageCryptography) => Promise<VerificationResult>
  >();
  expectTypeOf<Extract<VerificationResult, { ok: true }>['signature']>().toEqualTypeOf<PackageSignature>();
  expectTypeOf<Extract<VerificationResult, { ok: false }>['fault']>().toEqualTypeOf<'unsigned' | 'newer' | 'invalid'>();
  expectTypeOf<PackageSignature['formatVersion']>().toEqualTypeOf<1>();
});

it('a package.json is read from anything, and has its manifest with every default', () => {
  expectTypeOf<typeof parseDriverPackageJson>().toEqualTypeOf<
    (value: unknown, readManifest?: (manifest: unknown) => ManifestResult) => PackageJsonResult
  >();
  expectTypeOf<typeof readDriverPackageJson>().toEqualTypeOf<
    (bytes: Uint8Array, readManifest?: (manifest: unknown) => ManifestResult) => PackageJsonResult
  >();
  expectTypeOf<Extract<PackageJsonResult, { ok: true }>['packageJson']>().toEqualTypeOf<DriverPackageJson>();
  expectTypeOf<DriverPackageJson['manifest']>().toEqualTypeOf<Manifest>();
});

it('packing gives an archive in memory', () => {
  expectTypeOf<typeof packPackageFiles>().toEqualTypeOf<(files: PackageFiles) => Promise<Uint8Array<ArrayBuffer>>>();
});

it('a registry says of itself the publisher with its public key only', () => {
  expectTypeOf<RegistryFile['publisher']>().toEqualTypeOf<{ id: string; name: string; publicKey: string }>();
});
