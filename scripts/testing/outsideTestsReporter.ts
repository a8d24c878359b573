import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

/** Where {@link OutsideTestsReporter} writes: JSON of {@link OutsideTests}. */
export const OUTSIDE_TESTS_FILE = 'TABULARIUM_OUTSIDE_TESTS_FILE';

/** The faults of a run that Vitest's own JSON lacks. */
export interface OutsideTests {
  /** The errors that no test caught: a promise that nothing waits for, a timer that fired after its test. */
  readonly errors: readonly string[];
  /** The paths of the files whose process ended before it had begun with them. */
  readonly notBegun: readonly string[];
}

export default class OutsideTestsReporter implements Reporter {
  #planned: readonly string[] = [];

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#planned = specifications.map(({ moduleId }) => moduleId);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env[OUTSIDE_TESTS_FILE];
    if (file === undefined) return;
    const begun = new Set(modules.map(({ moduleId }) => moduleId));
    const outside: OutsideTests = { errors: errors.map(textOf), notBegun: this.#planned.filter((path) => !begun.has(path)) };
    writeFileSync(file, JSON.stringify(outside));
  }
}

function textOf({ name, message, stack, cause, VITEST_TEST_PATH: path }: SerializedError): string {
  const text = message === '' ? (stack ?? '') : message;
  const causeText = typeof cause === 'object' && cause !== null && 'message' in cause ? ` Cause: ${String(cause.message)}` : '';
  return `${typeof path === 'string' ? `in ${path}: ` : ''}${name ?? 'Error'}: ${text}${causeText}`;
}
