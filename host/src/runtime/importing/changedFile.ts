import { HostError } from '../../common/errors.ts';

/** The error of a file that isn't the one that an import began with. */
export function changedFile(name: string): HostError {
  return new HostError('INVALID_REQUEST', `${name} has changed since the import began.`, {
    details: { advice: 'Import it again from the beginning; a mode that repeats rows safely leaves no doubles.' },
  });
}
