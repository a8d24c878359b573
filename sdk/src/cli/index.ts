// The functions of the command for other Node programs: the local registry signs and packs with it.
export { buildDriver, BuildFailed } from './build/buildDriver.ts';
export type { BuildOptions, Built } from './build/buildDriver.ts';
export type { BuildProblem } from './build/problem.ts';
export type { Check } from './check/check.ts';
export { checkDriver, checkPackage } from './check/checkDriver.ts';
export { CLI_ERRORS, CliError } from './cliError.ts';
export type { CliErrorCode } from './cliError.ts';
export { BILL_OF_MATERIALS_FILE } from './notices/billOfMaterials.ts';
export { NOTICES_FILE } from './notices/thirdPartyNotices.ts';
export { collectDriver } from './package/collect.ts';
export { collectPlatforms } from './package/collectPlatforms.ts';
export { archiveNameOf, packDriver, packPackage, signPackage } from './package/packDriver.ts';
export type { PackedDriver } from './package/packDriver.ts';
export { readArchive } from './package/readArchive.ts';
