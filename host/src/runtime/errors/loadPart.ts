import { HostError } from '../../common/errors.ts';
import { canOpenMore, isOutOfFiles } from './storageFailure.ts';

/**
 * Loads parts of this program that are imported when they are needed.
 *
 * @throws HostError `TOO_MANY_FILES`, `INSTALLATION_DAMAGED`
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    // Node reports a package.json that it could not open as a package that does not exist.
    if (isOutOfFiles(cause) || !canOpenMore()) throw new HostError('TOO_MANY_FILES', undefined, { cause });
    throw new HostError('INSTALLATION_DAMAGED', undefined, { cause });
  }
}
