// The messages between a host and a driver's process. Drivers do not import this; hosts and tools do.
export * from './schemas.ts';
export * from './facetSchemas.ts';
export * from './consoleSessionSchemas.ts';
export * from './searchSchemas.ts';
export * from './objectSchemas.ts';
export * from './operationSchemas.ts';
export * from './importSchemas.ts';
export * from './namespaceSchemas.ts';
export * from './explainSchemas.ts';
export * from './activitySchemas.ts';
export { driverTextsSchema } from './commonSchemas.ts';
export { boundedSchema } from './boundedSchema.ts';
export { DRIVER_METHODS, FACETS, HOST_METHODS } from './methods.ts';
export type { DriverMethod, EventMethod, FacetName, HostMethod } from './methods.ts';
export { ALIVE_METHOD } from './aliveMethod.ts';
export { ByteQueue } from './byteQueue.ts';
export type { ByteStream } from './byteStream.ts';
export { WireViolation } from './frame.ts';
export type { ReadyDetails } from './heads.ts';
export type { IncomingRequest } from './incomingExchange.ts';
export { WIRE_LIMITS } from './limits.ts';
export { readReady } from './negotiation.ts';
export type { Ready } from './negotiation.ts';
export type { WireAnswer } from './outgoingExchange.ts';
export type { ReceivedBody } from './receivedBody.ts';
export { WireConnection } from './wireConnection.ts';
export type { WireEnd, WireOptions } from './wireConnection.ts';
export { toDriverError, toWireError } from './wireError.ts';
export type { WireBody, WireRequest } from './wireRequest.ts';
export {
  GRANTED_MODULES,
  importProblem,
  isImportable,
  ALLOWED_GLOBALS,
  ALLOWED_MODULES,
  ALLOWED_PROCESS,
} from '../sandbox/index.ts';
export type { AllowedNames } from '../sandbox/index.ts';
