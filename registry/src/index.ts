export { collectDriver, packDriver, packPackage, signPackage } from './packDriver.ts';
export type { PackedDriver } from './packDriver.ts';
export { findRunningRegistry, readRegistryFile } from './registryFile.ts';
export { LOCAL_PUBLISHER, startRegistry } from './startRegistry.ts';
export type { LocalRegistry, Published, RegistryOptions } from './startRegistry.ts';
