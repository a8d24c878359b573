// The messages between a host and a driver's process. Drivers do not import this; hosts and tools do.
export * from './schemas.ts';
export { DRIVER_METHODS, FACETS, HOST_METHODS } from './methods.ts';
export type { DriverMethod, FacetName, HostMethod } from './methods.ts';
