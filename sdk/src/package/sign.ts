import { faultOfFiles, integrityOf } from './files.ts';
import type { PackageFiles } from './files.ts';
import { keyIdOf, signBytes } from './keys.ts';
import type { Publisher, SigningKey } from './keys.ts';
import { readDriverPackageJson } from './packageJson.ts';
import { faultOfMainFiles, isPlatformPackageJson, PLATFORM_LIMITS, readPlatformPackageJson } from './platforms.ts';
import { packageSignatureSchema, SIGNATURE_FILE, SIGNATURE_FORMAT, signedBytes } from './signature.ts';

/** A package that cannot be signed, because no host would install it. */
export class PackageFault extends Error {
  override readonly name = 'PackageFault';
}

function jsonOf(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** The name and version of a platform package. @throws PackageFault */
function platformIdentity(json: Uint8Array): { readonly name: string; readonly version: string } {
  const read = readPlatformPackageJson(json);
  if (!read.ok) throw new PackageFault(read.problem);
  return read.packageJson;
}

/** The name and version of a driver's package. @throws PackageFault */
function driverIdentity(json: Uint8Array, contents: PackageFiles): { readonly name: string; readonly version: string } {
  const read = readDriverPackageJson(json);
  if (!read.ok) throw new PackageFault(read.problems.join(' '));
  const { entry, manifest } = read.packageJson;
  if (!contents.has(entry))
    throw new PackageFault(`The entry ${JSON.stringify(entry)} is not among the files. Build the driver first.`);
  const fault = manifest.platforms === undefined ? undefined : faultOfMainFiles(contents.keys());
  if (fault !== undefined) throw new PackageFault(fault);
  return read.packageJson;
}

/**
 * Signs a driver's package or a platform package: every file but the signature, its name and its version, by one key. The same content and key give the same bytes.
 *
 * @param files - the files of the package; an earlier signature among them is ignored
 * @returns the content of {@link SIGNATURE_FILE}
 * @throws PackageFault when the package is not one that a host installs
 */
export async function signPackageFiles(
  files: PackageFiles,
  publisher: Publisher,
  key: SigningKey,
): Promise<Uint8Array<ArrayBuffer>> {
  const contents = new Map([...files].filter(([path]) => path !== SIGNATURE_FILE));
  const isPlatform = isPlatformPackageJson(jsonOf(contents.get('package.json')));
  const sizes = new Map(Array.from(contents, ([path, bytes]) => [path, bytes.length]));
  const fault = isPlatform ? faultOfFiles(sizes, PLATFORM_LIMITS) : faultOfFiles(sizes);
  if (fault !== undefined) throw new PackageFault(fault);
  const json = contents.get('package.json');
  if (json === undefined) throw new PackageFault('The package has no package.json.');
  const { name, version } = isPlatform ? platformIdentity(json) : driverIdentity(json, contents);

  const hashes = await Promise.all(Array.from(contents, async ([path, bytes]) => [path, await integrityOf(bytes)] as const));
  const unsigned = {
    formatVersion: SIGNATURE_FORMAT,
    publisher: { id: publisher.id, name: publisher.name },
    keyId: await keyIdOf(key.publicKey),
    publicKey: key.publicKey,
    package: { name, version },
    files: Object.fromEntries(hashes.sort(([a], [b]) => (a < b ? -1 : 1))),
  } as const;
  const signature = packageSignatureSchema.parse({ ...unsigned, signature: await signBytes(signedBytes(unsigned), key) });
  return new TextEncoder().encode(`${JSON.stringify(signature, null, 2)}\n`);
}
