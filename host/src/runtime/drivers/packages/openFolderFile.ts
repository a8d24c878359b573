import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../../common/errors.ts';

/** Without O_NONBLOCK, opening a named pipe waits for a writer, forever. Windows has neither flag, and needs a privilege to make links. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Errors of open where O_NOFOLLOW meets a link (EMLINK on FreeBSD), and for a socket or a pipe that cannot be read. */
const NOT_A_FILE = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'ENODEV', 'EISDIR']);

/**
 * Opens one regular file below `folder`. Follows no link in any part of `path`: what is read goes to a driver, and a link could bring it
 * any file of the person's.
 *
 * @param folder - absolute; links in it are the caller's concern
 * @param path - relative to `folder`, with forward slashes and without `..`
 * @returns the file, which the caller closes, and its size when it was opened
 * @throws HostError `PACKAGE_INVALID` for a link, a device, a pipe, or a file with more than `mostBytes`; the error of the system, such
 *   as `ENOENT`, where there is no file
 */
export async function openFolderFile(
  folder: string,
  path: string,
  mostBytes: number,
): Promise<{ readonly file: FileHandle; readonly size: number }> {
  const file = await open(join(folder, path), FLAGS).catch((cause: unknown) => {
    throw NOT_A_FILE.has((cause as NodeJS.ErrnoException).code ?? '') ? notAFile(path, cause) : cause;
  });
  try {
    const opened = await file.stat({ bigint: true });
    // After opening, so that a folder that a link replaces meanwhile is noticed: the file that was opened has to be the one in the folder.
    const found = await withoutLinks(folder, path);
    if (!opened.isFile() || found.dev !== opened.dev || found.ino !== opened.ino) throw notAFile(path);
    if (opened.size > mostBytes) throw invalid(`The file ${JSON.stringify(path)} is larger than ${mostBytes} bytes.`);
    return { file, size: Number(opened.size) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The entry of the folder with this name, where no part of the path is a link. */
async function withoutLinks(folder: string, path: string): Promise<BigIntStats> {
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count += 1) {
    const above = parts.slice(0, count).join('/');
    if (!(await lstat(join(folder, above))).isDirectory()) throw notAFile(above);
  }
  return lstat(join(folder, path), { bigint: true });
}

function notAFile(path: string, cause?: unknown): HostError {
  return invalid(`${JSON.stringify(path)} is a link or a device; a package has files only.`, cause);
}

function invalid(message: string, cause?: unknown): HostError {
  return new HostError('PACKAGE_INVALID', message, { cause });
}
