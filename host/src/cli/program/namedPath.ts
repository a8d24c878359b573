import { resolve } from 'node:path';
import { UsageError } from '../usageError.ts';
import type { ProgramContext } from './programContext.ts';

/** Standard input or output, where a command can use them in place of a file. */
export const STANDARD_STREAM = '-';

/**
 * The whole path of a file or folder that a command names.
 *
 * @throws UsageError for an empty one, as a variable that isn't set leaves it: it would be the folder that the command runs in; and for `-` where a
 * command has no use for standard input or output
 */
export function namedPath({ folder }: Pick<ProgramContext, 'folder'>, named: string): string {
  if (named.trim() === '') throw new UsageError('The path of a file or folder is empty. Name one.');
  if (named === STANDARD_STREAM) throw new UsageError(`"-" has no meaning here. Name a file, or write ./- for one of that name.`);
  return resolve(folder, named);
}
