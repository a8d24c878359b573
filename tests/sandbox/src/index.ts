export { startSandbox } from './sandbox.ts';
export type { RequestLog, Sandbox, SandboxOptions } from './sandbox.ts';
export type { PaceOptions } from './pace.ts';
export type { SampleOptions } from './sample/load.ts';
export type { SeenRequest } from './seenRequest.ts';
export { sandboxVersions } from './versions.ts';
export type { SandboxVersion } from './versions.ts';
export { realFaults } from './faults.ts';
export type { Fault, Resource } from './faults.ts';
