import type { ZodError } from 'zod';
import { HostError } from '../../common/errors.ts';

/** What a schema says of a command's values, in sentences. It never quotes a value: one may be a secret. */
export function invalidValues(error: ZodError): HostError {
  const sentences = error.issues.map((issue) => {
    const what = issue.path.length === 0 ? 'One of the values' : `The value of "${issue.path.join('.')}"`;
    if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return `${what} must not be empty.`;
    const reason = `${issue.message.slice(0, 1).toLowerCase()}${issue.message.slice(1)}`;
    return `${what} cannot be used: ${reason.endsWith('.') ? reason : `${reason}.`}`;
  });
  return new HostError('INVALID_REQUEST', sentences.join(' '), { cause: error });
}
