import { dirname } from 'node:path';
import { syncFolder } from '../storage/durableFile.ts';
import { renameWritten } from '../storage/renameWritten.ts';
import { systemCode, exists, unwritable } from './fileErrors.ts';

/** The name under which a file is written until it is whole. */
export function partOf(file: string): string {
  return `${file}.part`;
}

/** Gives a whole `.part` file its final name. @throws HostError `FILE_EXISTS`, `FILE_UNWRITABLE` */
export async function renamePart(file: string, overwrite: boolean): Promise<void> {
  try {
    await renameWritten(partOf(file), file, overwrite);
  } catch (error) {
    throw systemCode(error) === 'EEXIST' ? exists(file) : unwritable(file, error);
  }
  syncFolder(dirname(file));
}
