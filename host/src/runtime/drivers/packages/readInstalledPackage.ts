import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOfMainFiles, PLATFORM_FOLDER } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { HostError } from '../../../common/errors.ts';
import { hostPlatform } from './hostPlatform.ts';
import { readPackageFolder } from './packageFolder.ts';
import { verifyPackage } from './packageVerifier.ts';
import type { VerifiedPackage } from './packageVerifier.ts';
import { declaresPlatforms } from './readArchiveFile.ts';
import { readFolderFile } from './readFolderFile.ts';
import { verifyPlatformFiles } from './verifyPlatformFiles.ts';

/** A driver's package on disk whose files are those that were signed, with those of its platform. */
export interface InstalledPackage extends VerifiedPackage {
  /** Without those of the platform. */
  readonly files: PackageFiles;
}

/**
 * Reads and verifies a driver's folder: its own files in memory, those of its platform where they are.
 *
 * @param packageText - names the package in messages
 * @param platform - default: the platform of this host
 * @throws HostError as {@link verifyPackage} and {@link verifyPlatformFiles}
 */
export async function readInstalledPackage(folder: string, packageText: string, platform?: string): Promise<InstalledPackage> {
  const files = await readOwnFiles(folder);
  const verified = await verifyPackage(files, packageText);
  const { packageJson, signature } = verified;
  if (packageJson.manifest.platforms !== undefined) {
    assertOwnFiles(files, packageText);
    const place = join(folder, PLATFORM_FOLDER);
    if ((await stat(place).catch(() => undefined)) === undefined)
      throw new HostError('PACKAGE_INVALID', `${packageText}: its folder "${PLATFORM_FOLDER}" is missing.`);
    const { name: packageName, version } = packageJson;
    await verifyPlatformFiles(place, { packageName, version, keyId: signature.keyId }, platform ?? hostPlatform());
  }
  return { ...verified, files };
}

/** The files of a driver without those of its platform. @throws HostError `PACKAGE_SIGNATURE_INVALID` */
export async function readOwnFiles(folder: string): Promise<PackageFiles> {
  const json = await readFolderFile(folder, 'package.json').catch(() => undefined);
  return readPackageFolder(folder, declaresPlatforms(json) ? [PLATFORM_FOLDER] : []);
}

/** A driver whose manifest lists platforms brings no files of them itself. @throws HostError `PACKAGE_INVALID` */
export function assertOwnFiles(files: PackageFiles, packageText: string): void {
  const fault = faultOfMainFiles(files.keys());
  if (fault !== undefined) throw new HostError('PACKAGE_INVALID', `${packageText}: ${fault}`);
}
