import type { Problem } from '../api/problem.ts';

/** Errors in the place of an answer. */
const CODES: ReadonlySet<Problem['code']> = new Set([
  'HOST_UNREACHABLE',
  'HOST_ANSWER_INVALID',
  'CONNECTION_LOST',
  'DRIVER_CRASHED',
  'TIMEOUT',
  // Of a request that this window didn't stop: what ended it, such as the end of the driver's process, ended it before its answer came.
  'CANCELLED',
]);

/** Whether a request that was sent may have been carried out although it failed: its answer was lost on the way. */
export function isAnswerLost({ code }: Pick<Problem, 'code'>): boolean {
  return CODES.has(code);
}
