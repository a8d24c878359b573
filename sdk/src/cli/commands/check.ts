import { resolve } from 'node:path';
import type { Check } from '../check/check.ts';
import { checkDriver } from '../check/checkDriver.ts';
import { CliError } from '../cliError.ts';
import { defineCommand, FOLDER_OPTION } from './command.ts';

export const PLAN_OPTION = {
  plan: {
    type: 'string',
    value: 'FILE',
    help: 'the file that exports the conformance plan as "plan" (default: test/plan.ts, where there is one)',
  },
} as const;

const MARKS = { passed: '✓', failed: '✗', skipped: '–' } as const;

/** The list, with what to do about each that failed. */
function checksText(checks: readonly Check[]): string {
  return checks
    .flatMap(({ title, outcome, findings, fix }) => [
      `${MARKS[outcome]} ${title}`,
      ...findings.map((finding) => `    ${finding}`),
      ...(fix === undefined ? [] : [`    → ${fix}`]),
    ])
    .join('\n');
}

/** @throws CliError `CHECK_FAILED` with the list, when anything failed */
export function requirePassed(checks: readonly Check[], what: string): void {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return;
  throw new CliError(
    'CHECK_FAILED',
    `${what}, because a check failed:\n${checksText(failed)}`,
    'Follow the advice at the arrows. tabularium-driver check shows the whole list.',
    { facts: { checks } },
  );
}

export const check = defineCommand({
  name: 'check',
  summary: 'look whether a host would install and run the driver, and say how to mend what is wrong',
  options: { ...FOLDER_OPTION, ...PLAN_OPTION },
  run: async ({ options }, { folder, env, signal }) => {
    const checks = await checkDriver(resolve(folder, options.folder ?? '.'), { plan: options.plan, env, signal });
    const failed = checks.filter(({ outcome }) => outcome === 'failed').length;
    const end = failed === 0 ? 'Nothing is wrong.' : `${failed} of ${checks.length} checks failed.`;
    return { facts: { ok: failed === 0, checks }, text: `${checksText(checks)}\n\n${end}`, exitCode: failed === 0 ? 0 : 1 };
  },
});
