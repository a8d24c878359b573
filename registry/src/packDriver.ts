import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { DRIVER_KEYWORD, packPackageFiles, SIGNATURE_FILE, signPackageFiles } from '@tabularium/sdk/package';
import type { PackageFiles, Publisher, SigningKey } from '@tabularium/sdk/package';
import { z } from 'zod';

/** A package, signed and packed. */
export interface PackedDriver {
  readonly tarball: Buffer;
  /** `sha512-…` of the tarball. */
  readonly integrity: string;
  readonly files: PackageFiles;
  readonly packageJson: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
}

const sourceSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  keywords: z.array(z.string()).default([]),
  files: z.array(z.string()).optional(),
  main: z.string().optional(),
  exports: z.unknown(),
});
/** A package.json as it stands in the source folder. */
export type DriverSource = z.output<typeof sourceSchema>;

/** What is of use in the source folder only. */
const SOURCE_ONLY = new Set(['devDependencies', 'scripts', 'files', 'private', 'workspaces', 'publishConfig']);
const ALWAYS_PACKED = /^(readme|licen[cs]e|notice)(\.[a-z]+)?$/i;

export async function readDriverSource(folder: string): Promise<DriverSource> {
  return sourceSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
}

async function filesBelow(folder: string, path: string): Promise<string[]> {
  const entry = await stat(join(folder, path));
  if (!entry.isDirectory()) return [path];
  const names = await readdir(join(folder, path));
  return (await Promise.all(names.map((name) => filesBelow(folder, posix.join(path, name))))).flat();
}

/** The package.json that travels: without what only the source folder needs, and with the word that registries search by. */
function travelling(source: DriverSource, version: string): Record<string, unknown> {
  const kept = Object.entries(source).filter(([name]) => !SOURCE_ONLY.has(name));
  const json: Record<string, unknown> = { ...Object.fromEntries(kept), version };
  json['keywords'] = [...new Set([DRIVER_KEYWORD, ...source.keywords])];
  if (source.main === undefined && source.exports === undefined) json['exports'] = './dist/index.js';
  return json;
}

/** The files of a driver's folder that belong into its package: package.json, what `files` names (else dist/index.js), readme, licence. */
export async function collectDriver(folder: string, version?: string): Promise<PackageFiles> {
  const source = await readDriverSource(folder);
  const extra = (await readdir(folder)).filter((name) => ALWAYS_PACKED.test(name));
  const named = await Promise.all(
    (source.files ?? ['dist/index.js']).map((path) => filesBelow(folder, posix.normalize(path).replace(/\/$/, ''))),
  );
  const paths = [...new Set([...named.flat(), ...extra])].sort();
  const packageJson = `${JSON.stringify(travelling(source, version ?? source.version), null, 2)}\n`;
  const files = new Map<string, Uint8Array<ArrayBuffer>>([['package.json', new TextEncoder().encode(packageJson)]]);
  for (const path of paths) files.set(path, new Uint8Array(await readFile(join(folder, path))));
  return files;
}

/** The files with the signature among them. */
export async function signPackage(files: PackageFiles, publisher: Publisher, key: SigningKey): Promise<PackageFiles> {
  return new Map(files).set(SIGNATURE_FILE, await signPackageFiles(files, publisher, key));
}

/** Packs files as they are, signed or not. The same files give the same bytes. */
export async function packPackage(files: PackageFiles): Promise<PackedDriver> {
  const packageJson = z
    .looseObject({ name: z.string(), version: z.string() })
    .parse(JSON.parse(new TextDecoder().decode(files.get('package.json'))));
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
