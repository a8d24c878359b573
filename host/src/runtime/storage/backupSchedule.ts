import type { BackupInfo } from '../../common/backups.ts';
import type { Logger } from './logger.ts';
import { DAY_MILLISECONDS } from './backups.ts';
import type { Backups } from './backups.ts';
import { Database } from './database.ts';
import { HOME_DATABASE } from './homeDatabase.ts';
import { loggerOf } from './logger.ts';
import { UNFINISHED_PARTS } from './unfinishedParts.ts';
import type { UnfinishedParts } from './unfinishedParts.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';

const LOOK_MILLISECONDS = 3_600_000;

export interface BackupScheduleOptions {
  readonly database: Database;
  readonly backups: Backups;
  readonly logger: Logger;
  readonly unfinished?: UnfinishedParts;
  readonly now?: () => number;
}

/** Makes the daily backup: at start and every hour, where the last one is older than a day. One backup runs at a time. */
export class BackupSchedule implements AsyncDisposable {
  static readonly inject: Inject<typeof BackupSchedule> = {
    database: Database,
    backups: from([HOME_DATABASE], ({ backups }) => backups),
    logger: loggerOf('backups'),
    unfinished: UNFINISHED_PARTS,
  };

  readonly #options: BackupScheduleOptions;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: BackupScheduleOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_MILLISECONDS).unref();
    // A database without any backup was created just now and holds nothing yet: its first backup is made when the host stops.
    if (this.#last() !== undefined) this.#look();
  }

  /** Makes a backup on demand. @throws HostError as {@link Backups.create} */
  create(): Promise<BackupInfo> {
    return this.#inTurn(() => this.#create('manual'));
  }

  /** Writes a copy elsewhere. @throws HostError as {@link Backups.copyTo} */
  copyTo(file: string, overwrite: boolean): Promise<void> {
    const { backups, database, unfinished } = this.#options;
    return this.#inTurn(() => backups.copyTo(database.connection, file, overwrite, unfinished));
  }

  /** Makes the backup that is due, and waits for one that is running. To be called before the database is closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    if (this.#options.database.connection.isOpen) this.#look();
    await this.#running;
  }

  #look(): void {
    // Asked in its turn: the backup that is being made may be the one that was due.
    void this.#inTurn(async () => {
      if (this.#isDue()) await this.#create('daily');
    }).catch((error: unknown) => this.#options.logger.error('the daily backup of the database could not be made', error));
  }

  #isDue(): boolean {
    const last = this.#last();
    if (last === undefined) return true;
    // A backup from the future says nothing about when one is due: taken as a reason, it would make one at every look, forever.
    return this.#options.backups.isFromFuture(last) || this.#now() - Date.parse(last.createdAt) >= DAY_MILLISECONDS;
  }

  #last(): BackupInfo | undefined {
    return this.#options.backups.list().find(({ kind }) => kind === 'daily' || kind === 'manual');
  }

  #create(kind: 'daily' | 'manual'): Promise<BackupInfo> {
    return this.#options.backups.create(this.#options.database.connection, kind);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#running.then(work);
    this.#running = done.catch(() => undefined);
    return done;
  }
}
