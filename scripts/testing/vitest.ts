import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { root, workFolder } from '../paths.ts';
import { exitCodeOf } from './steps.ts';
import type { Outcome } from './steps.ts';

/** The sets of vitest.config.ts. */
export type TestSet = 'ordinary' | 'browser' | 'keyring' | 'long';

const resultSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});
type TestFile = z.infer<typeof resultSchema>['testResults'][number];

/** Counts of a run. `report` is what vitest's json reporter wrote, undefined if it never came to that. */
export function outcomeOf(report: string | undefined, exitCode: number): Outcome {
  if (report === undefined) return { passed: 0, failed: 1, faults: ['vitest ended before it had written its report.'] };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = resultSchema.parse(JSON.parse(report));
  // A test that did not run has not passed.
  const failed = numFailedTests + numPendingTests + numTodoTests;
  // A file that cannot be loaded and an error outside any test fail the run without failing a test.
  const faults = testResults.flatMap(faultsOfFile);
  if (failed > 0 || exitCode === 0) return { passed: numPassedTests, failed, faults };
  return { passed: numPassedTests, failed: 1, faults: faults.length > 0 ? faults : ['An error outside any test: see above.'] };
}

const MESSAGE_LENGTH = 300;

function faultsOfFile({ name, status, message, assertionResults }: TestFile): string[] {
  const file = relative(root, name);
  const line = (what: string, why: string): string => `${file}${what}: ${why.replaceAll(/\s+/g, ' ').slice(0, MESSAGE_LENGTH)}`;
  const ofTests = assertionResults
    .filter((test) => test.status !== 'passed')
    .map((test) => line(` › ${test.fullName}`, test.failureMessages?.[0] ?? test.status));
  return ofTests.length === 0 && status !== 'passed' ? [line('', message)] : ofTests;
}

interface RunOptions {
  readonly set: TestSet;
  /** Of the set's projects, these alone; all unless given. */
  readonly projects?: readonly string[];
  /** Put before the command: a session to run it in. */
  readonly within?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

export async function runVitest({ set, projects = [], within = [], env = {} }: RunOptions): Promise<Outcome> {
  const reportFile = join(workFolder, 'test-results', `${set}.json`);
  const compileCache = join(workFolder, 'compile-cache', set);
  mkdirSync(join(workFolder, 'test-results'), { recursive: true });
  rmSync(reportFile, { force: true });
  // Tests run copies of programs in folders of their own, whose entries no later run would read.
  rmSync(compileCache, { recursive: true, force: true });
  const [program = '', ...args] = [
    ...within,
    process.execPath,
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...projects.flatMap((name) => ['--project', name]),
  ];
  // Each test file is a process, and many start others: what one of them compiled, the next one loads.
  const exitCode = await exitCodeOf(program, args, {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env, TABULARIUM_TEST_SET: set },
  });
  const written = globSync(reportFile).length > 0;
  return outcomeOf(written ? readFileSync(reportFile, 'utf8') : undefined, exitCode);
}
