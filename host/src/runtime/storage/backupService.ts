import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupInfo, BackupsView } from '../../common/backups.ts';
import { HostError } from '../../common/errors.ts';
import { parseBackupName } from './backupName.ts';
import type { HomeDatabase } from './homeDatabase.ts';
import { BackupSchedule } from './backupSchedule.ts';
import { HOME_DATABASE } from './homeDatabase.ts';
import type { Inject } from '../container/inject.ts';

/** Backups as the window and the command line ask for them. */
export class BackupService {
  static readonly inject: Inject<typeof BackupService> = [HOME_DATABASE, BackupSchedule];

  readonly #home: HomeDatabase;
  readonly #schedule: BackupSchedule;

  constructor(home: HomeDatabase, schedule: BackupSchedule) {
    this.#home = home;
    this.#schedule = schedule;
  }

  view(): BackupsView {
    const { backups, pending, restoreFailure } = this.#home;
    const name = pending.get();
    return {
      folder: backups.folder,
      backups: [...backups.list()],
      ...(name === undefined ? {} : { pending: name }),
      ...(restoreFailure === undefined ? {} : { restoreFailure }),
    };
  }

  /** @throws HostError `DISK_FULL`, `TOO_MANY_FILES`, `DATABASE_DAMAGED` and others of a file that cannot be written */
  create(): Promise<BackupInfo> {
    return this.#schedule.create();
  }

  /** @param file - absolute. @throws HostError as {@link create}, and `FILE_EXISTS` */
  copyTo(file: string, overwrite: boolean): Promise<void> {
    return this.#schedule.copyTo(file, overwrite);
  }

  /**
   * Has the next start restore a backup. It is checked now, and again then.
   *
   * @throws HostError `BACKUP_UNUSABLE`
   */
  async restoreAtNextStart(name: string): Promise<BackupsView> {
    const { backups, pending } = this.#home;
    const file = join(backups.folder, name);
    if (parseBackupName(name) === undefined || !existsSync(file))
      throw new HostError('BACKUP_UNUSABLE', `There is no backup "${name}" in ${backups.folder}.`);
    const fault = backups.fault(file);
    if (fault !== undefined) throw new HostError('BACKUP_UNUSABLE', `${file} ${fault}`);
    await pending.set(name);
    return this.view();
  }

  cancelRestore(): BackupsView {
    this.#home.pending.clear();
    return this.view();
  }
}
