import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { root, workFolder } from '../paths.ts';
import { TEST_DEADLINE } from './deadline.ts';
import { memoryFolder } from './memoryFolder.ts';
import { OUTSIDE_TESTS_FILE } from './outsideTestsReporter.ts';
import type { OutsideTests } from './outsideTestsReporter.ts';
import { exitCodeOf } from './steps.ts';
import type { LeftOut, Outcome } from './steps.ts';

/** The sets of vitest.config.ts. */
export type TestSet = 'ordinary' | 'browser' | 'keyring' | 'long' | 'sweeps' | 'postgres';

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
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
          // Of boundedTestRunner.ts.
          meta: z.object({ leftOut: z.boolean().optional() }).optional(),
        }),
      ),
    }),
  ),
});
type TestFile = z.infer<typeof resultSchema>['testResults'][number];

const NOTHING_OUTSIDE: OutsideTests = { errors: [], notBegun: [] };

/** Counts of a run. `report` is what vitest's json reporter wrote, undefined if it never came to that. */
export function outcomeOf(report: string | undefined, exitCode: number, outside = NOTHING_OUTSIDE): Outcome {
  if (report === undefined) return { passed: 0, failed: 1, faults: ['vitest ended before it had written its report.'] };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = resultSchema.parse(JSON.parse(report));
  const leftOut = testResults.flatMap(leftOutOf);
  const leftOutTests = leftOut.reduce((sum, { count }) => sum + count, 0);
  // A test that did not run has not passed, unless there was no time for it.
  const failed = numFailedTests + numPendingTests - leftOutTests + numTodoTests + outside.errors.length + outside.notBegun.length;
  // A file that cannot be loaded and an error outside any test fail the run without failing a test.
  const faults = [
    ...testResults.flatMap(faultsOfFile),
    ...outside.errors.map(outsideFault),
    ...outside.notBegun.map((path) => `${relative(root, path)}: its process ended before it had begun.`),
  ];
  const counts = { passed: numPassedTests, ...(leftOut.length === 0 ? {} : { leftOut }) };
  if (failed > 0 || exitCode === 0) return { ...counts, failed, faults };
  return { ...counts, failed: 1, faults: faults.length > 0 ? faults : ['An error outside any test: see above.'] };
}

function isLeftOut({ status, meta }: TestFile['assertionResults'][number]): boolean {
  return status !== 'passed' && status !== 'failed' && meta?.leftOut === true;
}

function leftOutOf({ name, assertionResults }: TestFile): LeftOut[] {
  const count = assertionResults.filter(isLeftOut).length;
  return count === 0 ? [] : [{ file: relative(root, name), count, of: assertionResults.length }];
}

function outsideFault(text: string): string {
  return `An error outside any test: ${text.replaceAll(/\s+/g, ' ').slice(0, MESSAGE_LENGTH)}`;
}

/** Files of which a test failed, or that could not be loaded. */
export function failedFilesOf(report: string): string[] {
  return resultSchema
    .parse(JSON.parse(report))
    .testResults.filter((file) => faultsOfFile(file).length > 0)
    .map(({ name }) => relative(root, name));
}

/**
 * The outcome of a run whose failed files ran once more, alone. What passes there is counted as passed and named as unsteady; while
 * anything fails there, everything stays failed.
 */
export function outcomeAfterSecondRun(first: Outcome, second: Outcome): Outcome {
  if (second.failed > 0)
    return { ...first, faults: [...first.faults, ...second.faults.map((fault) => `alone as well: ${fault}`)] };
  return { ...first, passed: first.passed + first.failed, failed: 0, faults: [], unsteady: first.faults };
}

/** More of them than this are more than an accident of a busy machine. */
const MOST_UNSTEADY_FILES = 3;

const MESSAGE_LENGTH = 300;

function faultsOfFile({ name, status, message, assertionResults }: TestFile): string[] {
  const file = relative(root, name);
  const line = (what: string, why: string): string => `${file}${what}: ${why.replaceAll(/\s+/g, ' ').slice(0, MESSAGE_LENGTH)}`;
  const ofTests = assertionResults
    .filter((test) => test.status !== 'passed' && !isLeftOut(test))
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

const outsideSchema = z.object({ errors: z.array(z.string()), notBegun: z.array(z.string()) });

/**
 * The files to run once more, alone: those that failed among the others, and those whose process ended before it had begun with them, which says
 * nothing about their tests. None where any other error was outside the tests: a second run that does not meet it says nothing about it.
 */
export function filesToRepeat(report: string | undefined, { errors, notBegun }: OutsideTests): string[] {
  if (report === undefined) return [];
  const failed = failedFilesOf(report);
  const isOfStart = (error: string): boolean => error.includes('during starting state');
  if (!errors.every(isOfStart) || (errors.length > 0 && notBegun.length === 0)) return [];
  return failed.length > MOST_UNSTEADY_FILES ? [] : [...failed, ...notBegun.map((path) => relative(root, path))];
}

/** Runs a set. What {@link filesToRepeat} names runs once more: scripts/test.ts says which ones passed only there. */
export async function runVitest(options: RunOptions): Promise<Outcome> {
  const first = await runOnce(options);
  const files = filesToRepeat(first.report, first.outside);
  if (first.outcome.failed === 0 || files.length === 0) return first.outcome;
  console.log(`\nOnce more, alone: ${files.join(', ')}`);
  const second = await runOnce(options, files);
  return outcomeAfterSecondRun(first.outcome, second.outcome);
}

async function runOnce(
  { set, projects = [], within = [], env = {} }: RunOptions,
  files: readonly string[] = [],
): Promise<{ outcome: Outcome; report: string | undefined; outside: OutsideTests }> {
  const reportFile = join(workFolder, 'test-results', `${set}${files.length === 0 ? '' : '-alone'}.json`);
  const outsideTestsFile = join(workFolder, 'test-results', `${set}-outside-tests.json`);
  const compileCache = join(workFolder, 'compile-cache', set);
  mkdirSync(join(workFolder, 'test-results'), { recursive: true });
  for (const file of [reportFile, outsideTestsFile]) rmSync(file, { force: true });
  // Tests run copies of programs in folders of their own, whose entries no later run would read.
  rmSync(compileCache, { recursive: true, force: true });
  const [program = '', ...args] = [
    ...within,
    process.execPath,
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...files,
    ...(files.length === 0 ? [] : ['--no-file-parallelism']),
    '--reporter=default',
    '--reporter=json',
    `--reporter=${join(import.meta.dirname, 'outsideTestsReporter.ts')}`,
    `--outputFile.json=${reportFile}`,
    ...projects.flatMap((name) => ['--project', name]),
  ];
  const temporary = memoryFolder();
  let exitCode: number;
  try {
    exitCode = await exitCodeOf(program, args, {
      cwd: root,
      env: {
        ...process.env,
        // Each test file is a process, and many start others: what one of them compiled, the next one loads.
        NODE_COMPILE_CACHE: compileCache,
        ...(temporary === undefined ? {} : { TMPDIR: temporary }),
        ...env,
        // Files that failed have their second run however late it is.
        ...(files.length === 0 ? {} : { [TEST_DEADLINE]: undefined }),
        [OUTSIDE_TESTS_FILE]: outsideTestsFile,
        TABULARIUM_TEST_SET: set,
      },
    });
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
  const report = textOf(reportFile);
  const outside = outsideSchema.parse(JSON.parse(textOf(outsideTestsFile) ?? JSON.stringify(NOTHING_OUTSIDE)));
  return { outcome: outcomeOf(report, exitCode, outside), report, outside };
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
