import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KIT_VERSION, SDK_CONTRACT } from '../version.ts';
import { conformanceChecks } from './conformance.ts';
import type { PlacedCheck } from './conformance.ts';
import { reportMarkdown } from './reportMarkdown.ts';
import type { ConformancePlan } from './plan.ts';
import type { CheckResult, ConformanceReport } from './conformanceReport.ts';

/** Where to write a report; folders are made. What is left out is not written. */
export interface ReportFiles {
  /** Path of the file for programs. */
  readonly json?: string;
  /** Path of the file for people. */
  readonly markdown?: string;
}

/** How to run the kit without a test runner. */
export interface RunConformanceOptions {
  /** The name of this run; default: the driver's id. */
  readonly title?: string;
  /** Called after each check. */
  readonly onResult?: (result: CheckResult, done: number, all: number) => void;
  /** Where to write the report. */
  readonly files?: ReportFiles;
}

/** A report, for programs and for people. */
export interface ConformanceRun {
  /** For programs. */
  readonly report: ConformanceReport;
  /** The same for people. */
  readonly markdown: string;
}

/** Runs one check. Never rejects: what a check throws is its result. */
export async function resultOf(check: PlacedCheck): Promise<CheckResult> {
  const { area, rule, table } = check;
  const place = { area, rule, ...(table === undefined ? {} : { table }) };
  try {
    const not = await check.run();
    return not === undefined ? { ...place, outcome: 'kept' } : { ...place, outcome: not.notChecked, message: not.reason };
  } catch (error) {
    return { ...place, outcome: 'broken', message: error instanceof Error ? error.message : String(error) };
  }
}

/** Results as a report. */
export function reportOf(plan: ConformancePlan, title: string | undefined, checks: readonly CheckResult[]): ConformanceReport {
  const counts = { kept: 0, broken: 0, absent: 0, untried: 0 };
  for (const { outcome } of checks) counts[outcome] += 1;
  const counted = counts.kept + counts.broken + counts.untried;
  const { contract, definition } = plan.driver;
  return {
    reportVersion: 1,
    kit: KIT_VERSION,
    contract: SDK_CONTRACT,
    driver: { id: definition.id, contract, title: title ?? definition.id },
    takenAt: new Date().toISOString(),
    score: counted === 0 ? 0 : Math.floor((100 * counts.kept) / counted),
    counts,
    checks,
  };
}

/** Writes a report where it is wanted. */
export async function writeReport(report: ConformanceReport, { json, markdown }: ReportFiles): Promise<void> {
  const files = [
    [json, `${JSON.stringify(report, null, 2)}\n`],
    [markdown, reportMarkdown(report)],
  ] as const;
  for (const [path, text] of files) {
    if (path === undefined) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/**
 * Runs every check, one after the other, and reports. Rejects only when a report cannot be written: the report lists the failures of a
 * driver.
 *
 * @returns the report, and the same for people to read
 */
export async function runConformance(
  plan: ConformancePlan,
  { title, onResult, files = {} }: RunConformanceOptions = {},
): Promise<ConformanceRun> {
  const checks = conformanceChecks(plan);
  const results: CheckResult[] = [];
  for (const check of checks) {
    const result = await resultOf(check);
    results.push(result);
    onResult?.(result, results.length, checks.length);
  }
  const report = reportOf(plan, title, results);
  await writeReport(report, files);
  return { report, markdown: reportMarkdown(report) };
}
