import { HostError } from '../common/errors.ts';

/** The folder that relative paths start from. @throws HostError `INVALID_REQUEST` where it was removed while a shell is in it */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new HostError('INVALID_REQUEST', 'The folder that this command runs in no longer exists.', {
      cause,
      details: { advice: 'Change to a folder that exists, and try again.' },
    });
  }
}
