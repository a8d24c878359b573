import {
  PLATFORM_LIMITS,
  platformPackageName,
  readPlatformPackageJson,
  SIGNATURE_FILE,
  verifyPackageHashes,
} from '@tabularium/sdk/package';
import type { HashedFile } from '@tabularium/sdk/package';
import { HostError } from '../../../common/errors.ts';
import { hostSentence } from '../../../common/hostSentences.ts';
import { hashFolderFile } from './hashFolderFile.ts';
import { folderSizes } from './folderSizes.ts';
import { nodeCryptography } from './nodeCryptography.ts';
import { readFolderFile } from './readFolderFile.ts';

/** The driver that a platform package has to belong to. */
export interface PlatformOwner {
  readonly packageName: string;
  readonly version: string;
  /** Of the key that signed the driver. */
  readonly keyId: string;
}

/**
 * Verifies the files of a platform where they are: every file is the one that the driver's own signer signed, for this driver, this version and this
 * platform. They are hashed piece by piece, because they are large.
 *
 * @param folder - with real paths
 * @throws HostError `PACKAGE_UNSIGNED`, `PACKAGE_SIGNATURE_INVALID`, `PACKAGE_TAMPERED`, `PACKAGE_INVALID`, `DRIVER_NOT_COMPATIBLE`
 */
export async function verifyPlatformFiles(folder: string, owner: PlatformOwner, platform: string): Promise<void> {
  const name = platformPackageName(owner.packageName, platform);
  const text = `${name} ${owner.version}`;
  const sizes = await folderSizes(folder, '', PLATFORM_LIMITS);
  const files = new Map<string, HashedFile>();
  for (const path of sizes.keys()) if (path !== SIGNATURE_FILE) files.set(path, await hashFolderFile(folder, path));
  const signatureFile = sizes.has(SIGNATURE_FILE) ? await readFolderFile(folder, SIGNATURE_FILE) : undefined;
  const verified = await verifyPackageHashes(signatureFile, files, {
    cryptography: nodeCryptography,
    limits: PLATFORM_LIMITS,
  });
  if (!verified.ok) {
    const code = { unsigned: 'PACKAGE_UNSIGNED', invalid: 'PACKAGE_SIGNATURE_INVALID', newer: 'DRIVER_NOT_COMPATIBLE' } as const;
    throw new HostError(code[verified.fault], `${text}: ${verified.message}`);
  }
  const { signature } = verified;
  if (signature.keyId !== owner.keyId)
    throw new HostError('PACKAGE_SIGNATURE_INVALID', hostSentence('platformKey', { package: text, driver: owner.packageName }));
  const json = sizes.has('package.json') ? await readFolderFile(folder, 'package.json') : new Uint8Array();
  const read = readPlatformPackageJson(json);
  if (!read.ok) throw new HostError('PACKAGE_INVALID', `${text}: ${read.problem}`);
  const { packageJson } = read;
  if (signature.package.name !== packageJson.name || signature.package.version !== packageJson.version)
    throw new HostError(
      'PACKAGE_SIGNATURE_INVALID',
      `${text}: the signature is that of ${signature.package.name} ${signature.package.version}.`,
    );
  if (packageJson.driver !== owner.packageName || packageJson.version !== owner.version)
    throw new HostError(
      'PACKAGE_TAMPERED',
      hostSentence('platformOther', { package: text, actual: `${packageJson.name} ${packageJson.version}` }),
    );
  if (packageJson.platform !== platform)
    throw new HostError(
      'PACKAGE_INVALID',
      hostSentence('platformWrong', {
        package: `${packageJson.name} ${packageJson.version}`,
        actual: packageJson.platform,
        platform,
      }),
    );
}
