import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PackageFiles } from '../../package/files.ts';
import type { Publisher, SigningKey } from '../../package/keys.ts';
import { packPackageFiles } from '../../package/pack.ts';
import { signPackageFiles } from '../../package/sign.ts';
import { SIGNATURE_FILE } from '../../package/signature.ts';
import { collectDriver } from './collect.ts';

/** A package, packed. */
export interface PackedDriver {
  readonly tarball: Buffer;
  /** `sha512-…` of the tarball. */
  readonly integrity: string;
  readonly files: PackageFiles;
  readonly packageJson: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
}

const namedSchema = z.looseObject({ name: z.string(), version: z.string() });

/** The files with the signature among them. @throws PackageFault when no host would install the package */
export async function signPackage(files: PackageFiles, publisher: Publisher, key: SigningKey): Promise<PackageFiles> {
  return new Map(files).set(SIGNATURE_FILE, await signPackageFiles(files, publisher, key));
}

/** Packs files as they are, signed or not. The same files give the same bytes. */
export async function packPackage(files: PackageFiles): Promise<PackedDriver> {
  const packageJson = namedSchema.parse(JSON.parse(new TextDecoder().decode(files.get('package.json'))));
  const tarball = Buffer.from(await packPackageFiles(files));
  return { tarball, integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`, files, packageJson };
}

/** Collects, signs and packs the driver in `folder`. @param version - instead of the one in package.json */
export async function packDriver(
  folder: string,
  signer: { readonly publisher: Publisher; readonly key: SigningKey },
  version?: string,
): Promise<PackedDriver> {
  return packPackage(await signPackage(await collectDriver(folder, version), signer.publisher, signer.key));
}

/** The name of the archive, as npm gives it. */
export function archiveNameOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
}
