import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from '../../common/api.ts';
import { storageFailureCode } from '../errors/storageFailure.ts';

/** A disk with less than this counts as full: a step of work may need pages of SQLite's log and of the database. Bytes. */
export const NEEDED_BYTES = 1024 * 1024;

/**
 * The space on the disk of a data directory. It is tried by writing there, because a quota may leave less than the file system says.
 *
 * @param folder - the data directory; it has a folder `cache`
 */
export async function diskSpace(folder: string, signal: AbortSignal): Promise<Disk> {
  const { bavail, bsize } = await statfs(folder);
  return { folder, freeBytes: bavail * bsize, hasSpace: await canWrite(join(folder, 'cache', 'space-check'), signal) };
}

async function canWrite(file: string, signal: AbortSignal): Promise<boolean> {
  try {
    await writeFile(file, Buffer.alloc(NEEDED_BYTES, 1), { mode: 0o600, flush: true, signal });
    return true;
  } catch (error) {
    if (storageFailureCode(error) === 'DISK_FULL') return false;
    throw error;
  } finally {
    await rm(file, { force: true });
  }
}
