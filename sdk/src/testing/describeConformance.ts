import { conformanceChecks } from './conformance.ts';
import type { ConformancePlan } from './plan.ts';
import { reportOf, resultOf, writeReport } from './report.ts';
import type { ReportFiles } from './report.ts';
import type { CheckResult } from './conformanceReport.ts';
import { ConformanceError } from './plan.ts';

/** The functions of a test runner that the kit needs; those of vitest, jest, mocha and `node:test` all fit. */
export interface TestRunner {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly it: (name: string, run: () => Promise<void>) => unknown;
  /** Needed for a report: called once, when the tests of a `describe` are done. mocha and `node:test` call it `after`. */
  readonly afterAll?: (run: () => Promise<void>) => unknown;
}

/** Further output of the tests. */
export interface DescribeConformanceOptions {
  /** Written when all tests have run; with only some of them run, the report has those. */
  readonly report?: ReportFiles;
}

/**
 * Hands the checks to a test runner: `describeDriverConformance('my driver', plan, { describe, it })`. A check of a facet that the
 * session does not have, or that needs something the plan doesn't have, passes; a report says so.
 */
export function describeDriverConformance(
  name: string,
  plan: ConformancePlan,
  { describe, it, afterAll }: TestRunner,
  { report: files }: DescribeConformanceOptions = {},
): void {
  const results: CheckResult[] = [];
  describe(name, () => {
    for (const check of conformanceChecks(plan)) {
      it(check.name, async () => {
        const result = await resultOf(check);
        results.push(result);
        if (result.outcome === 'broken') throw new ConformanceError(result.message);
      });
    }
    if (files === undefined) return;
    if (afterAll === undefined) throw new TypeError('A report is written when all tests are done: hand over afterAll as well.');
    afterAll(() => writeReport(reportOf(plan, name, results), files));
  });
}
