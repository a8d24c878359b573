import type { DependencyContainer, InjectionToken } from 'tsyringe';
import type { Logger } from './logger.ts';
import { BackupSchedule } from './backupSchedule.ts';
import { BackupService } from './backupService.ts';
import { Database } from './database.ts';
import type { HomeDatabase } from './homeDatabase.ts';

type Single = <T>(token: InjectionToken<T>, make: (services: DependencyContainer) => T) => void;

/** The database that was opened at start, and its backups. */
export function registerStorage(single: Single, opened: HomeDatabase, logger: Logger): void {
  single(Database, () => opened.database);
  single(BackupSchedule, (c) => new BackupSchedule({ database: c.resolve(Database), backups: opened.backups, logger }));
  single(BackupService, (c) => new BackupService(opened, c.resolve(BackupSchedule)));
}
