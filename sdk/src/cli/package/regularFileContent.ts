import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** Without O_NONBLOCK, opening a named pipe waits for a writer, past every signal. Windows has no such flag and no such pipes. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A pipe, a device, a socket or a folder in place of a file. */
export class NotRegularFile extends Error {
  override readonly name = 'NotRegularFile';
  /** Such as `a named pipe`. */
  readonly kind: string;

  constructor(path: string, kind: string) {
    super(`${path} is ${kind}, not a file`);
    this.kind = kind;
  }
}

/** The kind of what isn't a regular file; undefined for one that is. */
export function kindOfEntry(
  found: Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket' | 'isSymbolicLink'>,
): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  return found.isSymbolicLink() ? 'a symbolic link' : 'a device';
}

/**
 * Opens a regular file, through links. Devices, pipes and sockets are not opened: opening a device may do something, and a pipe may never open.
 *
 * @throws NotRegularFile, or the error of the system
 */
async function openRegularFile(path: string): Promise<FileHandle> {
  const before = kindOfEntry(await stat(path));
  if (before !== undefined) throw new NotRegularFile(path, before);
  const file = await open(path, FLAGS);
  try {
    const kind = kindOfEntry(await file.stat());
    if (kind !== undefined) throw new NotRegularFile(path, kind);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The content of a regular file, opened as {@link openRegularFile} does it.
 *
 * @throws NotRegularFile, or the error of the system
 */
export async function regularFileContent(path: string): Promise<Buffer<ArrayBuffer>> {
  const file = await openRegularFile(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** As {@link regularFileContent}, for text. @throws NotRegularFile, or the error of the system */
export async function regularFileText(path: string): Promise<string> {
  return (await regularFileContent(path)).toString('utf8');
}
