import { closeSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { HostErrorCode } from '../../common/errors.ts';
import type { Migration } from './migrations/migration.ts';
import { isOnReadOnlyFileSystem } from './accessAdvice.ts';
import { missingPart } from './missingPart.ts';
import { storageFailureCode } from '../errors/storageFailure.ts';

/** `Tabu` in ASCII: what `PRAGMA application_id` of our databases says. Databases of versions before it was set have 0. */
export const APPLICATION_ID = 0x54_61_62_75;

const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');
const HEADER_BYTES = 100;
const PAGE_SIZE_OFFSET = 16;
const PAGE_COUNT_OFFSET = 28;
const APPLICATION_ID_OFFSET = 68;
/** SQLite's extended code for a file whose last transaction has to be rolled back first, which a read-only connection cannot do. */
const READONLY_ROLLBACK = 776;
/** A statement that does not fit the tables. */
const SQLITE_ERROR = 1;

/** The state of a database file. `sentence` completes "The database FILE …" and ends with a full stop. */
export type DatabaseCheck =
  | { readonly state: 'missing' }
  | { readonly state: 'sound'; readonly migrations: readonly string[] }
  | { readonly state: 'faulty'; readonly code: HostErrorCode; readonly sentence: string; readonly cause?: unknown };

/**
 * Looks at a database file without changing it: its kind, its header, SQLite's own integrity check, whose it is, and which migrations it has.
 *
 * @param known - the ids of the migrations of this version
 * @param migrations - the migrations themselves, where the tables are compared with those that they make
 */
export function checkDatabaseFile(file: string, known: readonly string[], migrations: readonly Migration[] = []): DatabaseCheck {
  let header: Buffer;
  try {
    const entry = lstatSync(file, { throwIfNoEntry: false });
    if (entry === undefined) return { state: 'missing' };
    if (entry.isSymbolicLink())
      return faulty('DATABASE_FOREIGN', 'is a symbolic link, and the file itself has to be in the folder.');
    if (entry.isDirectory()) return faulty('DATABASE_FOREIGN', 'is a folder.');
    if (!entry.isFile()) return faulty('DATABASE_FOREIGN', 'is not a regular file.');
    if (process.getuid !== undefined && entry.uid !== process.getuid())
      return faulty('HOME_UNUSABLE', 'belongs to another user of this machine.');
    if (entry.size === 0) return faulty('DATABASE_DAMAGED', 'is empty (0 bytes).');
    header = readHeader(file);
  } catch (cause) {
    return unreadable(file, cause);
  }
  if (header.length < HEADER_BYTES && MAGIC.subarray(0, header.length).equals(header.subarray(0, MAGIC.length)))
    return faulty('DATABASE_DAMAGED', `ends after ${header.length} bytes.`);
  if (!header.subarray(0, MAGIC.length).equals(MAGIC))
    return faulty('DATABASE_DAMAGED', 'does not begin like a database: its first bytes were overwritten.');
  const applicationId = header.readInt32BE(APPLICATION_ID_OFFSET);
  if (applicationId !== 0 && applicationId !== APPLICATION_ID)
    return faulty('DATABASE_FOREIGN', 'belongs to another application.');
  if (!hasLog(file) && isTruncated(header, lstatSync(file).size))
    return faulty('DATABASE_DAMAGED', 'ends before its last page: it was truncated.');
  return checkContent(file, { known, migrations, isOurs: applicationId === APPLICATION_ID });
}

/** A log holds pages that the file may lack: the last changes, or those of a transaction that was interrupted. */
function hasLog(file: string): boolean {
  return ['-wal', '-journal'].some((suffix) => (lstatSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0) > 0);
}

/** SQLite tolerates a last page that is cut off where the rest of it happens not to be used. */
function isTruncated(header: Buffer, size: number): boolean {
  const declared = header.readUInt16BE(PAGE_SIZE_OFFSET);
  const pageSize = declared === 1 ? 65_536 : declared;
  return size < header.readUInt32BE(PAGE_COUNT_OFFSET) * pageSize;
}

function readHeader(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(descriptor, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

interface Expected {
  readonly known: readonly string[];
  readonly migrations: readonly Migration[];
  /** The file says that it is ours: what does not fit was damaged. */
  readonly isOurs: boolean;
}

function checkContent(file: string, expected: Expected): DatabaseCheck {
  try {
    return readContent(file, true, expected);
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && error.errcode === READONLY_ROLLBACK))
      return unreadable(file, error, expected.isOurs);
  }
  try {
    return readContent(file, false, expected);
  } catch (error) {
    return unreadable(file, error, expected.isOurs);
  }
}

function readContent(file: string, readOnly: boolean, { known, migrations, isOurs }: Expected): DatabaseCheck {
  // Read-only, because closing any other connection would copy the write-ahead log into a file that may be damaged.
  const connection = new DatabaseSync(file, { readOnly, timeout: 0 });
  try {
    const result = connection.prepare('PRAGMA integrity_check(1)').get();
    const finding = String(Object.values(result ?? {})[0] ?? 'no answer');
    if (finding !== 'ok') return faulty('DATABASE_DAMAGED', "is damaged: SQLite's integrity check failed.", new Error(finding));
    const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    if (!tables.some(({ name }) => name === 'migrations')) {
      if (isOurs) return faulty('DATABASE_DAMAGED', 'is damaged: it lacks the table "migrations".');
      return faulty('DATABASE_FOREIGN', tables.length === 0 ? 'has no tables.' : 'belongs to another application.');
    }
    const applied = connection
      .prepare('SELECT id FROM migrations ORDER BY rowid')
      .all()
      .map(({ id }) => String(id));
    if (!applied.some((id) => known.includes(id))) return faulty('DATABASE_FOREIGN', 'belongs to another application.');
    const newer = applied.find((id) => !known.includes(id));
    if (newer !== undefined) return faulty('DATABASE_NEWER', `was written by a newer version of Tabularium (it has ${newer}).`);
    const lack = migrations.length === 0 ? undefined : missingPart(connection, migrations, applied);
    if (lack !== undefined) return faulty('DATABASE_DAMAGED', `is damaged: it lacks ${lack}.`);
    return { state: 'sound', migrations: applied };
  } finally {
    connection.close();
  }
}

const SENTENCES: Partial<Record<HostErrorCode, string>> = {
  DATABASE_LOCKED: 'is locked by another program.',
  HOME_READ_ONLY: "is on a read-only file system, or isn't writable.",
  DISK_FULL: 'cannot be opened, because the disk is full.',
  TOO_MANY_FILES: 'cannot be opened, because the limit for open files is reached.',
  DATABASE_DAMAGED: 'is damaged.',
};

/** The state of a database file that could not be opened, read or written, from the error. */
export function unreadable(file: string, cause: unknown, isOurs = false): Extract<DatabaseCheck, { state: 'faulty' }> {
  // Our own table has the columns that are asked for.
  if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_ERROR)
    return isOurs
      ? faulty('DATABASE_DAMAGED', 'is damaged: a table lacks a column.', cause)
      : faulty('DATABASE_FOREIGN', 'belongs to another application.', cause);
  // SQLite can't open a write-ahead log on a file system without changes, and doesn't say why.
  const readOnly = isOnReadOnlyFileSystem(dirname(file)) ? 'HOME_READ_ONLY' : undefined;
  const code = storageFailureCode(cause, dirname(file)) ?? readOnly ?? 'HOME_UNUSABLE';
  return faulty(code, SENTENCES[code] ?? 'cannot be read: check its permissions.', cause);
}

function faulty(code: HostErrorCode, sentence: string, cause?: unknown): Extract<DatabaseCheck, { state: 'faulty' }> {
  return { state: 'faulty', code, sentence, cause };
}
