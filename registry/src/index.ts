// Signed and packed as authors do it, by the same code.
export { collectDriver, packDriver, packPackage, signPackage } from '@tabularium/sdk/cli';
export type { PackedDriver } from '@tabularium/sdk/cli';
export { findRunningRegistry, readRegistryFile } from './registryFile.ts';
export { loadSigningKey } from './signingKey.ts';
export { LOCAL_PUBLISHER, startRegistry } from './startRegistry.ts';
export type { RunningRegistry, Published, RegistryOptions } from './startRegistry.ts';
export { startVerdaccio } from './verdaccioServer.ts';
export type { VerdaccioServer } from './verdaccioServer.ts';
export { createCatalogueKeys, loadCatalogueKeys } from './catalogue/catalogueKeys.ts';
export type { CatalogueKeys } from './catalogue/catalogueKeys.ts';
export { SignedCatalogue } from './catalogue/signedCatalogue.ts';
