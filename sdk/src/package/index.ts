// How a driver package is made, signed and checked. Shared by what signs (the command line, registries) and what verifies (hosts).
export type { PackageCryptography } from './cryptography.ts';
export { faultOfFiles, faultOfPath, integrityOf, PACKAGE_LIMITS } from './files.ts';
export type { FileLimits, PackageFiles } from './files.ts';
export { issueText } from '../issueText.ts';
export { createSigningKey, fingerprintOf, keyIdOf } from './keys.ts';
export type { Publisher, SigningKey } from './keys.ts';
export { DRIVER_KEYWORD, parseDriverPackageJson, readDriverPackageJson } from './packageJson.ts';
export type { DriverPackageJson, PackageJsonResult } from './packageJson.ts';
export { packPackageFiles } from './pack.ts';
export {
  faultOfMainFiles,
  isPlatformPackageJson,
  pathInPlatformFolder,
  PLATFORM_FOLDER,
  PLATFORM_LIMITS,
  platformConstraints,
  platformOf,
  platformPackageJson,
  platformPackageName,
  PLATFORMS_FOLDER,
  readPlatformPackageJson,
} from './platforms.ts';
export type { PlatformConstraints, PlatformPackageJson, PlatformPackageJsonResult } from './platforms.ts';
export { CATALOGUE_PATH } from './catalogue.ts';
export { REGISTRY_FILE_FORMAT, registryFileSchema } from './registryFile.ts';
export type { RegistryFile } from './registryFile.ts';
export { PackageFault, signPackageFiles } from './sign.ts';
export { publisherIdSchema, publisherNameSchema, SIGNATURE_FILE, SIGNATURE_FORMAT } from './signature.ts';
export type { PackageSignature } from './signature.ts';
export { travellingPackageJson } from './travelling.ts';
export { verifyPackageFiles, verifyPackageHashes } from './verify.ts';
export type { HashedFile, VerificationResult } from './verify.ts';
