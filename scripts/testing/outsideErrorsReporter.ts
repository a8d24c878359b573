import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter } from 'vitest/node';

/** Where {@link OutsideErrorsReporter} writes: a JSON array of texts. */
export const OUTSIDE_ERRORS_FILE = 'TABULARIUM_OUTSIDE_ERRORS_FILE';

/** Writes the errors that no test caught: a promise that nothing waits for, a timer that fired after its test. Vitest's own JSON has none of them. */
export default class OutsideErrorsReporter implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly SerializedError[]): void {
    const file = process.env[OUTSIDE_ERRORS_FILE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(errors.map(textOf)));
  }
}

function textOf({ name, message, stack, VITEST_TEST_PATH: path }: SerializedError): string {
  const text = message === '' ? (stack ?? '') : message;
  return `${typeof path === 'string' ? `in ${path}: ` : ''}${name ?? 'Error'}: ${text}`;
}
