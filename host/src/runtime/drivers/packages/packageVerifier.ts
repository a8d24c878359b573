import { parseManifest } from '@tabularium/sdk/manifest';
import type { ManifestResult } from '@tabularium/sdk/manifest';
import { readDriverPackageJson, verifyPackageFiles } from '@tabularium/sdk/package';
import type { DriverPackageJson, PackageFiles, PackageSignature } from '@tabularium/sdk/package';
import { HostError } from '../../../common/errors.ts';
import { nodeCryptography } from './nodeCryptography.ts';

/** A package whose every file is what its signer signed. Whether the signer is trusted is a question of its own. */
export interface VerifiedPackage {
  readonly packageJson: DriverPackageJson;
  readonly signature: PackageSignature;
}

/**
 * Checks a package's signature, that nothing is in it but what was signed, and that it is a driver's.
 *
 * @param packageText - names the package in messages
 * @param readManifest - for a caller that has read the same manifest before
 * @throws HostError `PACKAGE_UNSIGNED`, `PACKAGE_SIGNATURE_INVALID`, `PACKAGE_INVALID`, `DRIVER_NOT_COMPATIBLE`
 */
export async function verifyPackage(
  files: PackageFiles,
  packageText: string,
  readManifest: (manifest: unknown) => ManifestResult = parseManifest,
): Promise<VerifiedPackage> {
  const verified = await verifyPackageFiles(files, nodeCryptography);
  if (!verified.ok) {
    const code = { unsigned: 'PACKAGE_UNSIGNED', invalid: 'PACKAGE_SIGNATURE_INVALID', newer: 'DRIVER_NOT_COMPATIBLE' } as const;
    throw new HostError(code[verified.fault], `${packageText}: ${verified.message}`);
  }
  const { signature } = verified;
  const json = files.get('package.json');
  if (json === undefined) throw new HostError('PACKAGE_INVALID', `${packageText} has no package.json.`);
  const read = readDriverPackageJson(json, readManifest);
  if (!read.ok) {
    throw new HostError(read.newer ? 'DRIVER_NOT_COMPATIBLE' : 'PACKAGE_INVALID', `${packageText}: ${read.problems.join(' ')}`);
  }
  const { packageJson } = read;
  if (signature.package.name !== packageJson.name || signature.package.version !== packageJson.version) {
    const signed = `${signature.package.name} ${signature.package.version}`;
    throw new HostError('PACKAGE_SIGNATURE_INVALID', `${packageText}: the signature is that of ${signed}.`);
  }
  if (!files.has(packageJson.entry)) {
    throw new HostError('PACKAGE_INVALID', `${packageText}: its entry ${JSON.stringify(packageJson.entry)} is missing.`);
  }
  return { packageJson, signature };
}
