import { describe, expect, it } from 'vitest';
import { outcomeOf } from './vitest.ts';

const report = (counts: object): string =>
  JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, ...counts });

describe('outcomeOf', () => {
  it('counts what passed and what failed', () => {
    expect(outcomeOf(report({ numPassedTests: 3, numFailedTests: 2 }), 1)).toEqual({ passed: 3, failed: 2 });
  });

  it('counts a skipped test as failed', () => {
    expect(outcomeOf(report({ numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 }), 0)).toEqual({ passed: 3, failed: 2 });
  });

  it('fails when no test failed but the run did', () => {
    expect(outcomeOf(report({ numPassedTests: 3 }), 1)).toEqual({ passed: 3, failed: 1 });
  });

  it('fails when there is no report', () => {
    expect(outcomeOf(undefined, 0)).toEqual({ passed: 0, failed: 1 });
  });
});
