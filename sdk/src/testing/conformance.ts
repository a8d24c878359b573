import { consoleChecks } from './checks/console.ts';
import { editChecks } from './checks/edits.ts';
import { errorChecks } from './checks/errors.ts';
import { exportChecks } from './checks/export.ts';
import { filterChecks } from './checks/filters.ts';
import { identityChecks } from './checks/identity.ts';
import { metricChecks } from './checks/metrics.ts';
import { pageChecks } from './checks/pages.ts';
import { principalChecks } from './checks/principals.ts';
import { sortChecks } from './checks/sorts.ts';
import { tableOperationChecks } from './checks/tableOperations.ts';
import type { ConformanceCheck, ConformancePlan } from './plan.ts';

/** Everything that the contract asks of a driver and that can be seen from outside, one check for each. */
export function conformanceChecks(plan: ConformancePlan): readonly ConformanceCheck[] {
  return [
    ...identityChecks(plan),
    ...plan.tables.flatMap((table) => [...pageChecks(plan, table), ...sortChecks(plan, table), ...filterChecks(plan, table)]),
    ...errorChecks(plan),
    ...(plan.console === undefined ? [] : consoleChecks(plan, plan.console)),
    ...editChecks(plan),
    ...exportChecks(plan),
    ...tableOperationChecks(plan),
    ...principalChecks(plan),
    ...metricChecks(plan),
  ];
}

/** What the kit needs of a test runner; those of vitest, jest, mocha and `node:test` all fit. */
export interface TestRunner {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly it: (name: string, run: () => Promise<void>) => unknown;
}

/** Hands the checks to a test runner: `describeDriverConformance('my driver', plan, { describe, it })`. */
export function describeDriverConformance(name: string, plan: ConformancePlan, { describe, it }: TestRunner): void {
  describe(name, () => {
    for (const check of conformanceChecks(plan)) it(check.name, () => check.run());
  });
}
