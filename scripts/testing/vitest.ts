import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root, workFolder } from '../paths.ts';
import { exitCodeOf } from './steps.ts';
import type { Outcome } from './steps.ts';

/** The sets of vitest.config.ts. */
export type TestSet = 'ordinary' | 'keyring' | 'long';

const resultSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
});

/** Counts of a run. `report` is what vitest's json reporter wrote, undefined if it never came to that. */
export function outcomeOf(report: string | undefined, exitCode: number): Outcome {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = resultSchema.parse(JSON.parse(report));
  // A test that did not run has not passed.
  const failed = numFailedTests + numPendingTests + numTodoTests;
  // A file that cannot be loaded and an error outside any test fail the run without failing a test.
  return { passed: numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

interface RunOptions {
  readonly set: TestSet;
  /** Put before the command: a session to run it in. */
  readonly within?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

export async function runVitest({ set, within = [], env = {} }: RunOptions): Promise<Outcome> {
  const reportFile = join(workFolder, 'test-results', `${set}.json`);
  mkdirSync(join(workFolder, 'test-results'), { recursive: true });
  rmSync(reportFile, { force: true });
  const [program = '', ...args] = [
    ...within,
    process.execPath,
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
  ];
  const exitCode = await exitCodeOf(program, args, { cwd: root, env: { ...process.env, ...env, TABULARIUM_TEST_SET: set } });
  const written = globSync(reportFile).length > 0;
  return outcomeOf(written ? readFileSync(reportFile, 'utf8') : undefined, exitCode);
}
