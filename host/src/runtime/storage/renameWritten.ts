import { link, rename, stat, unlink } from 'node:fs/promises';

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
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    if ((await stat(file).catch(() => undefined)) !== undefined)
      throw Object.assign(new Error(`${file} exists`, { cause: error }), { code: 'EEXIST' });
    await rename(part, file);
    return;
  }
  await unlink(part);
}
