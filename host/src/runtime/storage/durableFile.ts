import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that only its owner can read, in one step: a reader, and a machine that loses power, has the old content or the new one.
 * The content goes to `<file>.new` first; that name is free again when the call ends, unless the process is killed.
 */
export async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  const staged = `${file}.new`;
  await rm(staged, { force: true, recursive: true });
  try {
    const handle = await open(staged, 'wx', 0o600);
    try {
      // The mode at creation is reduced by the umask.
      await handle.chmod(0o600);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(staged, file);
  } catch (error) {
    await rm(staged, { force: true }).catch(() => undefined);
    throw error;
  }
  syncFolder(dirname(file));
}

/** Puts a file's content on disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Puts a folder's names on disk. Windows cannot open a folder, and some network file systems refuse the call. */
export function syncFolder(folder: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(folder, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(descriptor);
  } catch {
    // The rename before is still done, only not yet certain to survive a power cut.
  } finally {
    closeSync(descriptor);
  }
}
