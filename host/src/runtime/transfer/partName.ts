import { link, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../storage/durableFile.ts';
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

/** Gives a file that was written under another name its own. @throws the error of the system: `EEXIST` for one that may not be replaced */
export async function renameWritten(part: string, file: string, overwrite: boolean): Promise<void> {
  if (overwrite) await rename(part, file);
  else await renameToFree(part, file);
}

/** A rename replaces; a link does not. Where a file system has no links, the moment between looking and renaming stays. */
async function renameToFree(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error;
    if ((await stat(file).catch(() => undefined)) !== undefined) throw exists(file);
    await rename(part, file);
    return;
  }
  await unlink(part);
}
