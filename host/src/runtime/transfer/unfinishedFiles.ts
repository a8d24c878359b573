import { rm } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../storage/logger.ts';
import { refuseInDataDirectory } from '../storage/dataDirectory.ts';
import { DATABASE_CONNECTION, SIDE_FILES } from '../storage/database.ts';
import type { UnfinishedParts } from '../storage/unfinishedParts.ts';
import { HOME } from '../storage/home.ts';
import { loggerOf } from '../storage/logger.ts';
import { fileState, isSameFile } from './fileIdentity.ts';
import type { FileState } from './fileIdentity.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';

/** In place of device and inode, of a file that does not exist yet. */
const ANNOUNCED = '';
/** Nanoseconds. A file's time of creation comes from a coarser clock, which lags. */
const CLOCK_LAG = 1_000_000_000n;
/** Nanoseconds from the announcement to the creation, on a machine that hardly moves. */
const CREATION_TIME = 10_000_000_000n;

/**
 * The `.part` files of exports and backups that have not ended. They are outside the data directory, where a file of the same name may be somebody else's:
 * a start deletes one only where device, inode and time of creation are those of the file that was recorded. A process can be killed between
 * creating the file and recording it: a file that was only announced is deleted if it is empty and was created right after the announcement.
 */
export class UnfinishedFiles implements UnfinishedParts {
  static readonly inject: Inject<typeof UnfinishedFiles> = [
    DATABASE_CONNECTION,
    loggerOf('exports'),
    from([HOME], ({ folder }) => folder),
  ];

  readonly #connection: DatabaseSync;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #dataDirectory: string;

  /** @param dataDirectory - absolute */
  constructor(connection: DatabaseSync, logger: Pick<Logger, 'info' | 'warn'>, dataDirectory: string) {
    this.#dataDirectory = dataDirectory;
    this.#connection = connection;
    this.#logger = logger;
  }

  /** @throws HostError `INVALID_REQUEST` for a file in the data directory */
  assertOutside(file: string): void {
    refuseInDataDirectory(file, this.#dataDirectory);
  }

  /**
   * A file that is about to be created.
   * @returns whether it was recorded; if not, another export writes this file, or the database cannot be written, and `end` is not to be called
   */
  announce(path: string): boolean {
    try {
      const { changes } = this.#connection
        .prepare('INSERT OR IGNORE INTO unfinished_files (path, device, inode, born) VALUES (?, ?, ?, ?)')
        .run(path, ANNOUNCED, ANNOUNCED, String(BigInt(Date.now()) * 1_000_000n));
      return Number(changes) === 1;
    } catch (error) {
      this.#logger.warn(`the file ${path} was not recorded before its creation: ${String(error)}`);
      return false;
    }
  }

  /** A file that was just created. An export goes ahead where it cannot be recorded, such as on a full disk. */
  async begin(path: string): Promise<void> {
    try {
      const { device, inode, born } = await fileState(path);
      this.#connection
        .prepare('INSERT OR REPLACE INTO unfinished_files (path, device, inode, born) VALUES (?, ?, ?, ?)')
        .run(path, device, inode, born);
    } catch (error) {
      this.#logger.warn(`the unfinished file ${path} was not recorded: ${String(error)}`);
    }
  }

  /** It has its final name, or is gone. */
  end(path: string): void {
    try {
      this.#connection.prepare('DELETE FROM unfinished_files WHERE path = ?').run(path);
    } catch (error) {
      this.#logger.warn(`the finished file ${path} is still recorded as unfinished: ${String(error)}`);
    }
  }

  /** Called once at start, when no export runs. */
  async sweep(): Promise<void> {
    const rows = this.#connection.prepare('SELECT path, device, inode, born FROM unfinished_files').all();
    for (const row of rows) {
      const path = String(row['path']);
      try {
        const found = await fileState(path).catch(() => undefined);
        if (found !== undefined && isRecorded(found, row)) {
          await rm(path);
          // SQLite's own, beside a copy of the database.
          for (const suffix of SIDE_FILES) await rm(`${path}${suffix}`, { force: true });
          this.#logger.info(`removed the unfinished file ${path}`);
        }
        this.end(path);
      } catch (error) {
        this.#logger.warn(`the unfinished file ${path} could not be removed: ${String(error)}`);
      }
    }
  }
}

function isRecorded(found: FileState, row: Readonly<Record<string, unknown>>): boolean {
  if (row['device'] !== ANNOUNCED)
    return isSameFile(found, { device: String(row['device']), inode: String(row['inode']), born: String(row['born']) });
  const sinceAnnouncement = BigInt(found.born) - BigInt(String(row['born']));
  return found.size === '0' && sinceAnnouncement >= -CLOCK_LAG && sinceAnnouncement <= CREATION_TIME;
}
