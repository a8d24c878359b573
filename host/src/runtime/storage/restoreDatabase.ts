import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HostError } from '../../common/errors.ts';
import { accessAdvice } from './accessAdvice.ts';
import { backupName } from './backupName.ts';
import type { Backups } from './backups.ts';
import { SIDE_FILES } from './database.ts';
import { checkDatabaseFile } from './databaseFile.ts';
import { syncFile, syncFolder } from './durableFile.ts';
import { storageFailureCode } from '../errors/storageFailure.ts';

export interface RestoreOptions {
  /** The database of the data directory. Nothing has it open. */
  readonly file: string;
  /** The replacement; absolute. It is not changed. */
  readonly source: string;
  readonly backups: Backups;
  /** The ids of the migrations of this version. */
  readonly migrations: readonly string[];
  readonly now?: () => number;
}

export interface Restored {
  readonly restored: string;
  /** Where the database that was replaced is now; undefined where there was none. */
  readonly replaced: string | undefined;
}

/**
 * Replaces the database by a copy of `source`. A process that is killed at any step leaves the old database or the new one, complete; the old
 * one is kept beside the backups.
 *
 * @throws HostError `BACKUP_UNUSABLE` for a source that is damaged, foreign or newer, `DATABASE_LOCKED`, `DISK_FULL`, `TOO_MANY_FILES`,
 *   `HOME_READ_ONLY`, `HOME_UNUSABLE`
 */
export function restoreDatabase({ file, source, backups, migrations, now = Date.now }: RestoreOptions): Restored {
  const staged = `${file}.restoring`;
  removeWithSideFiles(staged);
  try {
    copyIn(source, staged, file, backups);
    const replaced = putAside(file, backups.folder, migrations, now());
    renameSync(staged, file);
    // A log that belongs to the old file must not be applied to the new one.
    for (const suffix of SIDE_FILES) rmSync(`${file}${suffix}`, { force: true });
    syncFolder(dirname(file));
    if (replaced !== undefined) backups.rotate(replaced);
    return { restored: source, replaced: replaced === undefined ? undefined : join(backups.folder, replaced) };
  } catch (error) {
    try {
      removeWithSideFiles(staged);
    } catch {
      // The next start removes it.
    }
    if (error instanceof HostError) throw error;
    const isSource = error instanceof Error && 'syscall' in error && !isReadable(source);
    const sentence = isSource
      ? `${source} cannot be read.`
      : `The database ${file} cannot be replaced; the backup is not at fault.`;
    const code = storageFailureCode(error, dirname(file)) ?? 'HOME_UNUSABLE';
    const advice = accessAdvice(code, isSource ? source : file);
    throw new HostError(code, sentence, { cause: error, ...(advice === undefined ? {} : { details: { advice } }) });
  }
}

/** The copy is checked, not the source: nothing can change between the check and the use. */
function copyIn(source: string, staged: string, file: string, backups: Backups): void {
  const unusable = (sentence: string): HostError => new HostError('BACKUP_UNUSABLE', `${source} ${sentence}`);
  const entry = lstatSync(source, { throwIfNoEntry: false });
  if (entry === undefined) throw unusable('does not exist.');
  if (!entry.isFile()) throw unusable('is not a regular file.');
  if (existsSync(file) && realpathSync(source) === realpathSync(file)) throw unusable('is the database itself.');
  copyFileSync(source, staged, constants.COPYFILE_EXCL);
  chmodSync(staged, 0o600);
  // A database that was copied while its host ran, or that a restore put aside, has its last changes in a log.
  if (existsSync(`${source}-wal`)) copyFileSync(`${source}-wal`, `${staged}-wal`, constants.COPYFILE_EXCL);
  const fault = backups.fault(staged);
  // The copy is in the data directory, whose faults are not those of the backup.
  if (fault !== undefined && !isReadable(staged)) throw new HostError('HOME_UNUSABLE', `${staged} cannot be read.`);
  if (fault !== undefined) throw unusable(fault);
  const copy = new DatabaseSync(staged);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    const marks = copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'removed_driver_versions'").get();
    // A folder that was to be deleted when the backup was made may have been installed again since.
    if (marks !== undefined) copy.exec('DELETE FROM removed_driver_versions');
  } finally {
    copy.close();
  }
  for (const suffix of SIDE_FILES) rmSync(`${staged}${suffix}`, { force: true });
  syncFile(staged);
}

/** Gives the present database a second name among the backups. It keeps its own until the new one replaces it. @returns the name */
function putAside(file: string, folder: string, migrations: readonly string[], now: number): string | undefined {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  const check = checkDatabaseFile(file, migrations);
  if (check.state === 'faulty' && check.code === 'DATABASE_LOCKED')
    throw new HostError('DATABASE_LOCKED', `The database ${file} ${check.sentence}`, { cause: check.cause });
  const isWhole = check.state === 'sound' || (check.state === 'faulty' && check.code === 'DATABASE_NEWER');
  if (entry === undefined && !existsSync(`${file}-wal`)) return undefined;
  if (isWhole) mergeLog(file);
  const name = freeName(folder, now, isWhole ? 'replaced' : 'damaged');
  const aside = join(folder, name);
  if (!isWhole) {
    for (const suffix of ['-wal', '-journal']) {
      if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${aside}${suffix}`);
    }
  }
  if (entry?.isFile() === true) linkOrCopy(file, aside);
  else if (entry !== undefined) renameSync(file, aside);
  syncFolder(folder);
  return name;
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Moves what the write-ahead log holds into the file, so that the file alone is the whole database. */
function mergeLog(file: string): void {
  const connection = new DatabaseSync(file, { timeout: 0 });
  try {
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE');
  } finally {
    connection.close();
  }
}

function linkOrCopy(file: string, aside: string): void {
  try {
    linkSync(file, aside);
  } catch {
    // Some file systems have no hard links.
    copyFileSync(file, aside, constants.COPYFILE_EXCL);
    syncFile(aside);
  }
  chmodSync(aside, 0o600);
}

function freeName(folder: string, now: number, kind: 'replaced' | 'damaged'): string {
  for (let time = now; ; time += 1) {
    const name = backupName(new Date(time), kind);
    if (lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined) return name;
  }
}

function removeWithSideFiles(file: string): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(`${file}${suffix}`, { force: true });
}
