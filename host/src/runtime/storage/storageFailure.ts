import { statfsSync } from 'node:fs';
import { HostError } from '../../common/errors.ts';
import type { HostErrorCode } from '../../common/errors.ts';

/** Below this the file system counts as full: SQLite reports a failed allocation of its shared memory as a general I/O error. Bytes. */
const NO_SPACE_BYTES = 64 * 1024;
/** How many causes of an error are looked at. */
const DEEPEST_CAUSE = 4;

const PRIMARY_CODE = 0xff;
const BY_SQLITE_CODE: Readonly<Record<number, HostErrorCode>> = {
  5: 'DATABASE_LOCKED',
  6: 'DATABASE_LOCKED',
  8: 'HOME_READ_ONLY',
  11: 'DATABASE_DAMAGED',
  13: 'DISK_FULL',
  26: 'DATABASE_DAMAGED',
};

const BY_SYSTEM_CODE: Readonly<Record<string, HostErrorCode>> = {
  ENOSPC: 'DISK_FULL',
  EDQUOT: 'DISK_FULL',
  EFBIG: 'DISK_FULL',
  EMFILE: 'TOO_MANY_FILES',
  ENFILE: 'TOO_MANY_FILES',
  EROFS: 'HOME_READ_ONLY',
};

/**
 * The code for an error of the file system or of SQLite that a person can do something about; undefined for every other error.
 *
 * @param folder - where it happened; for errors of SQLite that do not say whether the disk is full
 */
export function storageFailureCode(error: unknown, folder?: string): HostErrorCode | undefined {
  let current = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && current instanceof Error; depth += 1) {
    const code = codeOfOne(current, folder);
    if (code !== undefined) return code;
    current = current.cause;
  }
  return undefined;
}

/** The same as an error. Without a subject the message is the sentence of the table. */
export function storageFailure(error: unknown, subject?: string, folder?: string): HostError | undefined {
  const code = storageFailureCode(error, folder);
  return code === undefined ? undefined : new HostError(code, subject, { cause: error });
}

function codeOfOne(error: Error, folder: string | undefined): HostErrorCode | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') {
    const known = BY_SQLITE_CODE[error.errcode & PRIMARY_CODE];
    if (known !== undefined) return known;
    return folder !== undefined && isFull(folder) ? 'DISK_FULL' : undefined;
  }
  if ('code' in error && typeof error.code === 'string') return BY_SYSTEM_CODE[error.code];
  return undefined;
}

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < NO_SPACE_BYTES;
  } catch {
    return false;
  }
}
