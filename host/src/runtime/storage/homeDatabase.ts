import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '../../common/errors.ts';
import type { HostErrorCode } from '../../common/errors.ts';
import { accessAdvice } from './accessAdvice.ts';
import { Backups } from './backups.ts';
import { Database } from './database.ts';
import { removeLeftovers } from './leftovers.ts';
import type { Migration } from './migrations/migration.ts';
import { PendingRestore } from './pendingRestore.ts';
import { restoreDatabase } from './restoreDatabase.ts';
import { token } from '../container/inject.ts';
import { typedOr } from '../../common/typedOr.ts';

export const HOME_DATABASE = token<HomeDatabase>('HOME_DATABASE');

/** The file in the data directory. */
export const DATABASE_FILE = 'tabularium.db';

/** For these a backup is the way out. */
export const RESTORABLE: ReadonlySet<HostErrorCode> = new Set(['DATABASE_DAMAGED', 'DATABASE_FOREIGN', 'DATABASE_NEWER']);

export interface HomeFolders {
  readonly folder: string;
  readonly backups: string;
  readonly cache: string;
}

export interface HomeDatabase {
  readonly database: Database;
  readonly backups: Backups;
  readonly pending: PendingRestore;
  /** Why a restore that was asked for before this start failed. */
  readonly restoreFailure?: string;
}

interface Log {
  info(message: string): void;
  error(message: string, cause?: unknown): void;
}

/**
 * Opens the database of a data directory that this process owns: removes what a killed process left half written, performs the restore that
 * was asked for, backs up before migrations, and names the newest good backup where the database cannot be used.
 *
 * @throws HostError as {@link Database} does
 */
export function openHomeDatabase(home: HomeFolders, migrations: readonly Migration[], logger: Log): HomeDatabase {
  const file = join(home.folder, DATABASE_FILE);
  const known = migrations.map(({ id }) => id);
  const backups = new Backups({ folder: home.backups, migrations: known });
  const pending = new PendingRestore(home.backups);
  const removed = removeLeftovers(home);
  if (removed.length > 0) logger.info(`removed unfinished files: ${removed.join(', ')}`);
  const restoreFailure = restorePending(file, backups, pending, known, logger);
  try {
    const database = new Database(file, migrations, {
      beforeCreate: () => assertNew(file, backups),
      beforeMigration: (connection) => void backups.createSync(connection, 'migration'),
    });
    return { database, backups, pending, ...(restoreFailure === undefined ? {} : { restoreFailure }) };
  } catch (error) {
    throw withAdvice(error, file, backups);
  }
}

function restorePending(
  file: string,
  backups: Backups,
  pending: PendingRestore,
  migrations: readonly string[],
  logger: Log,
): string | undefined {
  const name = pending.get();
  if (name === undefined) {
    const fault = pending.fault();
    if (fault === undefined) return undefined;
    pending.clear();
    logger.error(fault);
    return fault;
  }
  try {
    const { replaced } = restoreDatabase({ file, source: join(backups.folder, name), backups, migrations });
    pending.clear();
    logger.info(`restored the backup ${name}${replaced === undefined ? '' : `; the database before is ${replaced}`}`);
    return undefined;
  } catch (error) {
    // The database is as it was, and the window reports it.
    pending.clear();
    logger.error(`the backup ${name} was not restored`, error);
    return error instanceof Error ? error.message : String(error);
  }
}

/** A database that is gone while its backups are there was lost: a new one would look like an application that forgot everything. */
function assertNew(file: string, backups: Backups): void {
  if (backups.list().length === 0) return;
  throw new HostError('DATABASE_DAMAGED', `The database ${file} is missing, but there are backups of it.`);
}

function withAdvice(error: unknown, file: string, backups: Backups): unknown {
  if (!(error instanceof HostError)) return error;
  if (!RESTORABLE.has(error.code)) {
    const access = accessAdvice(error.code, file);
    if (access === undefined) return error;
    return new HostError(error.code, error.message, { details: { ...error.details, advice: access }, cause: error.cause });
  }
  const good = backups.newestGood();
  const advice =
    good === undefined ? withoutBackup(error.code, file, backups) : `${before(error.code)} ${restoreCommand(good.file)}`;
  return new HostError(error.code, error.message, { details: { ...error.details, advice }, cause: error.cause });
}

function before(code: HostErrorCode): string {
  return code === 'DATABASE_NEWER'
    ? 'Update Tabularium, or restore the newest backup that this version can read:'
    : 'Nothing was changed or deleted. Restore the newest good backup:';
}

function withoutBackup(code: HostErrorCode, file: string, backups: Backups): string {
  if (code === 'DATABASE_NEWER') return 'Update Tabularium, or set TABULARIUM_HOME to another folder.';
  const remedy = existsSync(file) ? `move ${file} elsewhere` : `move the files in ${backups.folder} elsewhere`;
  return `Nothing was changed or deleted. There is no usable backup in ${backups.folder}: restore one from elsewhere with "tabularium restore FILE", or ${remedy} to start with an empty data directory.`;
}

function restoreCommand(file: string): string {
  return `tabularium restore ${typedOr(file, 'FILE')}`;
}
