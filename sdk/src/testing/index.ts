// The conformance kit: run by driver authors against their drivers. It brings no test runner.
export { conformanceChecks, describeDriverConformance } from './conformance.ts';
export type { TestRunner } from './conformance.ts';
export { ConformanceError } from './plan.ts';
export type {
  ConformanceCheck,
  ConformancePlan,
  KnownConsole,
  KnownEdit,
  KnownFilter,
  KnownPrincipals,
  KnownRow,
  KnownTable,
  OpenedTarget,
} from './plan.ts';
export { createTestHttp } from './testHttp.ts';
export type { TestHttp, TestHttpOptions } from './testHttp.ts';
