import type { BackupInfo, BackupKind } from '../../common/backups.ts';
import { HostError } from '../../common/errors.ts';
import type { FakeContext } from './fakeContext.test-helper.ts';

const FOLDER = '/home/ada/.local/share/tabularium/backups';

function backupOf(createdAt: string, kind: BackupKind, bytes: number): BackupInfo {
  const name = `tabularium-${createdAt.replaceAll(':', '-')}-${kind}.db`;
  return { name, file: `${FOLDER}/${name}`, createdAt, kind, bytes };
}

/** Backups of some days; a new one can be made, and one be restored. */
export function fakeBackups(): FakeContext['backups'] {
  let backups = [
    backupOf('2026-11-21T07:12:09.114Z', 'daily', 1_241_088),
    backupOf('2026-11-20T07:11:58.020Z', 'daily', 1_236_992),
    backupOf('2026-11-19T16:40:31.500Z', 'migration', 1_101_824),
    backupOf('2026-11-18T09:02:44.871Z', 'replaced', 974_848),
  ];
  let pending: string | undefined;
  const view = () => ({ folder: FOLDER, backups: [...backups], ...(pending === undefined ? {} : { pending }) });
  return {
    view,
    create: async () => {
      const made = backupOf(new Date().toISOString(), 'manual', 1_245_184);
      backups = [made, ...backups];
      return made;
    },
    restoreAtNextStart: async (name) => {
      if (!backups.some((backup) => backup.name === name))
        throw new HostError('BACKUP_UNUSABLE', `There is no backup "${name}" in ${FOLDER}.`);
      pending = name;
      return view();
    },
    cancelRestore: () => {
      pending = undefined;
      return view();
    },
  };
}
