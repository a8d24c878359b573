import { resolve } from 'node:path';
import { UsageError } from '../usageError.ts';
import type { ProgramContext } from './programContext.ts';

/**
 * The whole path of a file or folder that a command names.
 *
 * @throws UsageError for an empty one, as a variable that isn't set leaves it: it would be the folder that the command runs in
 */
export function namedPath({ folder }: Pick<ProgramContext, 'folder'>, named: string): string {
  if (named.trim() === '') throw new UsageError('The path of a file or folder is empty. Name one.');
  return resolve(folder, named);
}
