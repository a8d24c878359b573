import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { failedFilesOf, filesToRepeat, outcomeAfterSecondRun, outcomeOf } from './vitest.ts';

const report = (counts: object): string =>
  JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [], ...counts });

describe('outcomeOf', () => {
  it('counts what passed and what failed', () => {
    expect(outcomeOf(report({ numPassedTests: 3, numFailedTests: 2 }), 1)).toMatchObject({ passed: 3, failed: 2 });
  });

  it('counts a skipped test as failed', () => {
    expect(outcomeOf(report({ numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 }), 0)).toMatchObject({
      passed: 3,
      failed: 2,
    });
  });

  it('fails when no test failed but the run did', () => {
    expect(outcomeOf(report({ numPassedTests: 3 }), 1)).toMatchObject({ passed: 3, failed: 1 });
  });

  it('counts an error outside any test beside a test that failed, and names it', () => {
    const outcome = outcomeOf(report({ numPassedTests: 3, numFailedTests: 1 }), 1, {
      errors: ['Error: late\n  timer'],
      notBegun: [],
    });
    expect(outcome).toEqual({ passed: 3, failed: 2, faults: ['An error outside any test: Error: late timer'] });
  });

  it('counts a file that was never begun, although no test of it failed', () => {
    const outcome = outcomeOf(report({ numPassedTests: 3 }), 0, { errors: [], notBegun: [join(root, 'host/src/one.test.ts')] });
    expect(outcome).toEqual({ passed: 3, failed: 1, faults: ['host/src/one.test.ts: its process ended before it had begun.'] });
  });

  it('fails when there is no report', () => {
    expect(outcomeOf(undefined, 0)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('names what failed in a line each: the test with its message, or the file that could not be loaded', () => {
    const testResults = [
      {
        name: join(root, 'host/src/one.test.ts'),
        status: 'failed',
        assertionResults: [
          { fullName: 'one holds', status: 'passed', failureMessages: [] },
          { fullName: 'one breaks', status: 'failed', failureMessages: ['expected 1\n  to be 2'] },
          { fullName: 'one waits', status: 'skipped' },
        ],
      },
      { name: join(root, 'host/src/two.test.ts'), status: 'failed', message: 'Cannot find module', assertionResults: [] },
    ];
    expect(outcomeOf(report({ numPassedTests: 1, numFailedTests: 1, numPendingTests: 1, testResults }), 1).faults).toEqual([
      'host/src/one.test.ts › one breaks: expected 1 to be 2',
      'host/src/one.test.ts › one waits: skipped',
      'host/src/two.test.ts: Cannot find module',
    ]);
  });
});

describe('a second run of failed files, alone', () => {
  const first = { passed: 8, failed: 2, faults: ['a.test.ts › one: late', 'b.test.ts › two: late'] };

  it('takes the files of which a test failed, and those that could not be loaded', () => {
    const file = (name: string, status: string, tests: readonly string[]) => ({
      name: join(root, name),
      status,
      assertionResults: tests.map((one) => ({ fullName: name, status: one, failureMessages: [] })),
    });
    const testResults = [
      file('a.test.ts', 'failed', ['passed', 'failed']),
      file('b.test.ts', 'passed', ['passed']),
      file('c.test.ts', 'failed', []),
    ];
    expect(failedFilesOf(report({ testResults }))).toEqual(['a.test.ts', 'c.test.ts']);
  });

  it('takes those whose process ended before it had begun, and nothing where another error was outside the tests', () => {
    const started =
      'Error: [vitest-pool]: Worker forks emitted error. Cause: Worker exited unexpectedly with exit code 1 during starting state';
    const none = report({ numPassedTests: 3 });
    const notBegun = [join(root, 'c.test.ts')];
    expect(filesToRepeat(none, { errors: [started], notBegun })).toEqual(['c.test.ts']);
    expect(filesToRepeat(none, { errors: [started, 'Error: late timer'], notBegun })).toEqual([]);
    expect(filesToRepeat(none, { errors: [started], notBegun: [] })).toEqual([]);
    expect(filesToRepeat(none, { errors: [started.replace('starting', 'started')], notBegun })).toEqual([]);
    expect(filesToRepeat(undefined, { errors: [started], notBegun })).toEqual([]);
  });

  it('counts what passes there, and names it as unsteady', () => {
    expect(outcomeAfterSecondRun(first, { passed: 5, failed: 0, faults: [] })).toEqual({
      passed: 10,
      failed: 0,
      faults: [],
      unsteady: first.faults,
    });
  });

  it('leaves everything failed when something fails there too', () => {
    const outcome = outcomeAfterSecondRun(first, { passed: 4, failed: 1, faults: ['b.test.ts › two: still'] });
    expect(outcome).toMatchObject({ passed: 8, failed: 2 });
    expect(outcome.faults).toEqual([...first.faults, 'alone as well: b.test.ts › two: still']);
  });
});
