import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** Without O_NONBLOCK, opening a named pipe waits for a writer, for ever; four of them stop every other file of the process. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A pipe, a device, a socket or a folder in place of a file. */
export class NotAFile extends Error {
  override readonly name = 'NotAFile';

  constructor(path: string, found: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket'>) {
    super(`${path} is ${kindOf(found)}, not a file.`);
  }
}

function kindOf(found: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket'>): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/**
 * Opens a regular file that a person or another program named, through links. Pipes, devices and sockets are not opened: opening a device may do
 * something, and a pipe may never open.
 *
 * @returns the file, which the caller closes
 * @throws NotAFile, or the error of the system
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const before = await stat(path);
  if (!before.isFile()) throw new NotAFile(path, before);
  const file = await open(path, FLAGS);
  try {
    const opened = await file.stat();
    if (!opened.isFile()) throw new NotAFile(path, opened);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The text of a regular file, opened as {@link openRegularFile} does it. @throws NotAFile, or the error of the system */
export async function readRegularText(path: string): Promise<string> {
  const file = await openRegularFile(path);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
