import type { ZodError } from 'zod';
import { issueText } from '@tabularium/sdk/package';
import { HostError } from '../../common/errors.ts';

/** Faults that are named, and characters of each: a path may hold a key of any length. */
const MOST_FAULTS = 20;
const LONGEST_FAULT = 500;

/** A schema's faults of a command's values, in sentences. It never quotes a value: one may be a secret. */
export function invalidValues(error: ZodError): HostError {
  const sentences = error.issues.slice(0, MOST_FAULTS).map((issue) => {
    const what =
      issue.path.length === 0
        ? 'One of the values'
        : `The value of "${issue.path.slice(0, 10).join('.').slice(0, LONGEST_FAULT)}"`;
    if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return `${what} must not be empty.`;
    return `${what} cannot be used: ${issueText(issue).slice(0, LONGEST_FAULT)}.`;
  });
  return new HostError('INVALID_REQUEST', sentences.join(' '), { cause: error });
}
