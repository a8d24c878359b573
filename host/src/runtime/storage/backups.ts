import { chmodSync, closeSync, lstatSync, openSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { BackupInfo, BackupKind } from '../../common/backups.ts';
import { HostError } from '../../common/errors.ts';
import { backupName, parseBackupName } from './backupName.ts';
import { SIDE_FILES } from './database.ts';
import { checkDatabaseFile } from './databaseFile.ts';
import { syncFile, syncFolder } from './durableFile.ts';
import { refuseInDataDirectory } from './dataDirectory.ts';
import { storageFailure } from '../errors/storageFailure.ts';
import type { UnfinishedParts } from './unfinishedParts.ts';

/** How many backups of each kind are kept. */
const MOST_OF_KIND: Readonly<Record<BackupKind, number>> = { daily: 7, manual: 20, migration: 3, replaced: 5, damaged: 5 };
/** Of the first page: counters of changes, and which version of SQLite wrote them. */
const HEADER_BYTES = 100;
/** Pages that are copied between two looks at the event loop: 50 MB block it for 4 ms at most, and take 150 ms. */
const PAGES_AT_ONCE = 100;

export const DAY_MILLISECONDS = 86_400_000;

export interface BackupsOptions {
  /** `backups` in the data directory. */
  readonly folder: string;
  /** The ids of the migrations of this version. */
  readonly migrations: readonly string[];
  readonly now?: () => number;
}

/** The copies of the database in `backups/`. Each is one file that SQLite has checked before it gets its name. */
export class Backups {
  readonly folder: string;
  readonly #migrations: readonly string[];
  readonly #now: () => number;

  constructor({ folder, migrations, now = Date.now }: BackupsOptions) {
    this.folder = folder;
    this.#migrations = migrations;
    this.#now = now;
  }

  /**
   * Newest first. Files that are not named as backups are left out. Those from the future come last: they were made while the clock was wrong,
   * so their names don't say that they are newer, and rotation would keep them for years instead of the recent ones.
   */
  list(): readonly BackupInfo[] {
    let names: readonly string[];
    try {
      names = readdirSync(this.folder);
    } catch {
      return [];
    }
    return names
      .flatMap((name) => {
        const parsed = parseBackupName(name);
        const entry = parsed === undefined ? undefined : lstatSync(join(this.folder, name), { throwIfNoEntry: false });
        if (parsed === undefined || entry?.isFile() !== true) return [];
        return [{ name, file: join(this.folder, name), bytes: entry.size, ...parsed }];
      })
      .toSorted((a, b) => Number(this.isFromFuture(a)) - Number(this.isFromFuture(b)) || b.name.localeCompare(a.name, 'en'));
  }

  /** Whether a backup is dated more than a day after now. Less is a clock that was corrected a little. */
  isFromFuture({ createdAt }: Pick<BackupInfo, 'createdAt'>): boolean {
    return Date.parse(createdAt) > this.#now() + DAY_MILLISECONDS;
  }

  /** The newest backup that passes the check, as {@link fault} makes it. */
  newestGood(): BackupInfo | undefined {
    return this.list().find(({ kind, file }) => kind !== 'damaged' && this.fault(file) === undefined);
  }

  /** Why a file cannot be restored, in words that complete "FILE …"; undefined where it can. */
  fault(file: string): string | undefined {
    const check = checkDatabaseFile(file, this.#migrations);
    if (check.state === 'sound') return undefined;
    return check.state === 'missing' ? 'does not exist.' : check.sentence;
  }

  /** Copies a database that is open, checks the copy, and removes surplus backups of the same kind. @throws HostError as {@link copyTo} */
  async create(connection: DatabaseSync, kind: BackupKind): Promise<BackupInfo> {
    const name = this.#freeName(kind);
    await this.#copy(connection, join(this.folder, name), false);
    this.rotate(name);
    return this.#info(name);
  }

  /** As {@link create}, without giving way to the event loop: before migrations, when nothing is served yet. */
  createSync(connection: DatabaseSync, kind: BackupKind): BackupInfo {
    const name = this.#freeName(kind);
    this.#inPart(join(this.folder, name), (part) => {
      connection.prepare('VACUUM INTO ?').run(part);
    });
    // Each start tries migrations that failed again: copies of one state would push those of other states out.
    const before = this.list().find((backup) => backup.kind === kind && backup.name !== name);
    if (before !== undefined && hasSameContent(before.file, join(this.folder, name))) {
      rmSync(join(this.folder, name), { force: true });
      return before;
    }
    this.rotate(name);
    return this.#info(name);
  }

  /**
   * Writes a copy of an open database to a file: whole and checked, or not at all.
   *
   * @param file - absolute
   * @param unfinished - records the unfinished copy, so that the next start removes what a killed process leaves
   * @throws HostError `FILE_EXISTS`, `FILE_UNWRITABLE`, `DISK_FULL`, `TOO_MANY_FILES`, `HOME_READ_ONLY`, `DATABASE_DAMAGED`
   */
  async copyTo(connection: DatabaseSync, file: string, overwrite: boolean, unfinished?: UnfinishedParts): Promise<void> {
    if (!isAbsolute(file)) throw new HostError('INVALID_REQUEST', `"${file}" is not an absolute path.`);
    refuseInDataDirectory(file, dirname(this.folder));
    await this.#copy(connection, file, overwrite, unfinished);
  }

  async #copy(connection: DatabaseSync, file: string, overwrite: boolean, unfinished?: UnfinishedParts): Promise<void> {
    const existing = lstatSync(file, { throwIfNoEntry: false });
    if (existing?.isDirectory() === true)
      throw new HostError('FILE_EXISTS', `${file} is a folder.`, { details: { advice: 'Name a file in it.' } });
    if (existing !== undefined && !overwrite) throw new HostError('FILE_EXISTS', `${file} exists.`);
    // The rename would put a file in the place of a link or a device.
    if (existing?.isFile() === false)
      throw new HostError('FILE_UNWRITABLE', `${file} isn't a file, and is not replaced.`, {
        details: { advice: 'Name a file. Of a link, name the file that it leads to.' },
      });
    const isAnnounced = unfinished?.announce(partOf(file)) === true;
    try {
      const part = beginPart(file, dirname(file) === this.folder);
      try {
        await unfinished?.begin(part);
        await backup(connection, part, { rate: PAGES_AT_ONCE });
        this.#finishPart(part, file);
      } catch (error) {
        throw abandonPart(part, file, error);
      }
    } finally {
      if (isAnnounced) unfinished?.end(partOf(file));
    }
  }

  /**
   * Removes the oldest backups of each kind beyond what is kept. The one just made is never removed, whatever the clock says, and at least one
   * of those that stay was checked: the one just made.
   */
  rotate(justMade: string): void {
    const seen = new Map<BackupKind, number>();
    const newestFirst = this.list().toSorted((a, b) => Number(b.name === justMade) - Number(a.name === justMade));
    for (const { name, kind } of newestFirst) {
      const count = (seen.get(kind) ?? 0) + 1;
      seen.set(kind, count);
      if (count <= MOST_OF_KIND[kind]) continue;
      for (const suffix of ['', ...SIDE_FILES]) rmSync(join(this.folder, `${name}${suffix}`), { force: true });
    }
  }

  #freeName(kind: BackupKind): string {
    for (let time = this.#now(); ; time += 1) {
      const name = backupName(new Date(time), kind);
      if (lstatSync(join(this.folder, name), { throwIfNoEntry: false }) === undefined) return name;
    }
  }

  #info(name: string): BackupInfo {
    const found = this.list().find((info) => info.name === name);
    if (found === undefined) throw new HostError('FILE_UNWRITABLE', `The backup ${join(this.folder, name)} is gone.`);
    return found;
  }

  #inPart(file: string, work: (part: string) => void): void {
    const part = beginPart(file, true);
    try {
      work(part);
      this.#finishPart(part, file);
    } catch (error) {
      throw abandonPart(part, file, error);
    }
  }

  #finishPart(part: string, file: string): void {
    // One file: a copy takes over that the original writes ahead into a log of its own.
    const copy = new DatabaseSync(part);
    try {
      copy.exec('PRAGMA journal_mode = DELETE');
    } finally {
      copy.close();
    }
    chmodSync(part, 0o600);
    const fault = this.fault(part);
    if (fault !== undefined)
      throw new HostError('DATABASE_DAMAGED', `The database could not be backed up: the copy ${fault}`, {
        details: { advice: 'Stop Tabularium and restore an earlier backup. No backup was removed.' },
      });
    syncFile(part);
    renameSync(part, file);
    syncFolder(dirname(file));
  }
}

/** An empty file that only its owner reads; SQLite fills it. */
function beginPart(file: string, isOurFolder: boolean): string {
  const part = partOf(file);
  try {
    if (isOurFolder) removePart(part);
    closeSync(openSync(part, 'wx', 0o600));
    return part;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw unwritable(file, error);
    // Consent to replace FILE is none for FILE.part, which may be another program's.
    throw new HostError('FILE_EXISTS', `${part} exists: another backup or program writes it, or was interrupted.`, {
      cause: error,
      details: { advice: 'Choose another name, or delete that file if nothing writes it.' },
    });
  }
}

const partOf = (file: string): string => `${file}.part`;

function abandonPart(part: string, file: string, error: unknown): unknown {
  try {
    removePart(part);
  } catch {
    // The next start removes it.
  }
  return unwritable(file, error);
}

function removePart(part: string): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(`${part}${suffix}`, { force: true });
}

function unwritable(file: string, error: unknown): unknown {
  if (error instanceof HostError) return error;
  return (
    storageFailure(error, `The backup ${file} cannot be written.`, dirname(file)) ??
    new HostError('FILE_UNWRITABLE', `The backup ${file} cannot be written.`, { cause: error })
  );
}

/** The real path of the folder that an entry is in; as given where that folder does not exist. */

/** Whether two copies have the same content, whatever their headers count. */
function hasSameContent(first: string, second: string): boolean {
  const [a, b] = [readFileSync(first), readFileSync(second)];
  return a.length === b.length && a.subarray(HEADER_BYTES).equals(b.subarray(HEADER_BYTES));
}
