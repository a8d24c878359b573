import { closeSync, openSync, statfsSync } from 'node:fs';
import { devNull } from 'node:os';
import { HostError } from '../../common/errors.ts';
import type { HostErrorCode } from '../../common/errors.ts';

/** Below this the file system counts as full: SQLite reports a failed allocation of its shared memory as a general I/O error. Bytes. */
const NO_SPACE_BYTES = 64 * 1024;
/** How many causes of an error are looked at. */
const DEEPEST_CAUSE = 8;
/** Files that SQLite may have open at once, beside those at the failure: database, log, index and temporary files. */
const SPARE_DESCRIPTORS = 8;

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
  EROFS: 'HOME_READ_ONLY',
};

/** SQLite's codes that hide why the system refused: I/O error, cannot open. */
const SQLITE_WITHOUT_REASON: ReadonlySet<number> = new Set([10, 14]);

/** Whether an error, or one that caused it, is that no more files can be opened. Whatever else it looks like, this is the true cause. */
export function isOutOfFiles(error: unknown): boolean {
  return causes(error).some((each) => {
    if ('code' in each && (each.code === 'EMFILE' || each.code === 'ENFILE' || each.code === 'TOO_MANY_FILES')) return true;
    if (hasSqliteCode(each)) return SQLITE_WITHOUT_REASON.has(each.errcode & PRIMARY_CODE) && !canOpenMore();
    // Node's reader of package.json and the loader of native libraries have the system's words only.
    return 'code' in each && typeof each.code === 'string' && /too many open files/i.test(each.message);
  });
}

/**
 * The code for an error of the file system or of SQLite that a person can do something about; undefined for every other error.
 *
 * @param folder - where it happened; for errors of SQLite that do not say whether the disk is full
 */
export function storageFailureCode(error: unknown, folder?: string): HostErrorCode | undefined {
  if (isOutOfFiles(error)) return 'TOO_MANY_FILES';
  for (const each of causes(error)) {
    const code = codeOfOne(each, folder);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** The same as an error. Without a subject the message is the sentence of the table. */
export function storageFailure(error: unknown, subject?: string, folder?: string): HostError | undefined {
  const code = storageFailureCode(error, folder);
  return code === undefined ? undefined : new HostError(code, subject, { cause: error });
}

function codeOfOne(error: Error, folder: string | undefined): HostErrorCode | undefined {
  if (hasSqliteCode(error)) {
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

/** The error and those that caused it, outermost first. */
function causes(error: unknown): readonly Error[] {
  const found: Error[] = [];
  for (let current = error; found.length < DEEPEST_CAUSE && current instanceof Error; current = current.cause)
    found.push(current);
  return found;
}

function hasSqliteCode(error: Error): error is Error & { readonly errcode: number } {
  return 'errcode' in error && typeof error.errcode === 'number';
}

/** Whether this process may open a few more files. For errors that do not say so themselves. */
export function canOpenMore(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < SPARE_DESCRIPTORS) opened.push(openSync(devNull, 'r'));
    return true;
  } catch {
    return false;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
