// The conformance kit: run by driver authors against their drivers. It brings no test runner.
export { conformanceChecks } from './conformance.ts';
export type { CheckArea, PlacedCheck } from './conformance.ts';
export { describeDriverConformance } from './describeConformance.ts';
export type { DescribeConformanceOptions, TestRunner } from './describeConformance.ts';
export { KIT_VERSION } from '../version.ts';
export { ConformanceError } from './plan.ts';
export type {
  BegunStatement,
  ConformanceCheck,
  ConformancePlan,
  KnownActivity,
  KnownConsole,
  KnownConsoleSession,
  KnownEdit,
  KnownFilter,
  KnownImport,
  KnownLarge,
  KnownNewTable,
  KnownOperation,
  KnownOperationRun,
  KnownObject,
  KnownPrincipals,
  KnownRow,
  KnownTable,
  NotChecked,
  OpenedTarget,
  TextComparison,
} from './plan.ts';
export { runConformance } from './report.ts';
export type { ConformanceRun, ReportFiles, RunConformanceOptions } from './report.ts';
export type { CheckOutcome, CheckResult, ConformanceReport } from './conformanceReport.ts';
export { reportMarkdown } from './reportMarkdown.ts';
export { rowOutcomes } from './rowOutcomes.ts';
export { createTestHttp } from './testHttp.ts';
export type { TestHttp, TestHttpOptions } from './testHttp.ts';
export { createTestSocket } from './testSocket.ts';
export type { TestSocket, TestSocketOptions } from './testSocket.ts';
