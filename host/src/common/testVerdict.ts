import type { TestStep } from './connection.ts';

/** `incomplete`: nothing failed, but the server was never reached. */
export type TestVerdict = 'passed' | 'warned' | 'failed' | 'incomplete';

/**
 * The result of a connection test, by its steps. Only a server that responded is a success: a test that was stopped, or that ended
 * early, has no failed step either.
 */
export function testVerdict(steps: readonly Pick<TestStep, 'id' | 'outcome'>[]): TestVerdict {
  if (steps.some(({ outcome }) => outcome === 'failed')) return 'failed';
  const isOver = steps.every(({ outcome }) => outcome !== 'running');
  if (!isOver || !steps.some(({ id, outcome }) => id === SERVER_STEP && outcome === 'ok')) return 'incomplete';
  return steps.some(({ outcome }) => outcome === 'warning') ? 'warned' : 'passed';
}

/** The step in which the server responds to the driver. */
export const SERVER_STEP = 'server';
