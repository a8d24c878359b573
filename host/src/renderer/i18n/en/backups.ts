import type { BackupKind } from '../../../common/backups.ts';
import { formatBytes, formatMoment } from '../format.ts';

const kinds: Readonly<Record<BackupKind, string>> = {
  daily: 'Daily',
  manual: 'Manual',
  migration: 'Before an update',
  replaced: 'Replaced by a restore',
  damaged: 'Damaged, replaced by a restore',
};

/** Backups of the data directory, in the settings. */
export const backups = {
  section: 'Data',
  title: 'Backups',
  help: 'Connections, settings, history and staged edits are backed up every day. Passwords and keys stay in the secure store and are in no backup.',
  create: 'Back up now',
  created: (size: string): string => `Backed up (${size}).`,
  none: 'There are no backups yet. The first one is made when Tabularium stops.',
  list: 'List of backups',
  date: 'Date',
  kind: 'Reason',
  size: 'Size',
  action: 'Action',
  kinds,
  when: (iso: string): string => formatMoment(iso),
  bytes: (bytes: number): string => formatBytes(bytes),
  restore: 'Restore…',
  restoreOf: (when: string): string => `Restore the backup of ${when}`,
  confirmTitle: 'Restore this backup?',
  confirmText: (when: string): string =>
    `At the next start Tabularium goes back to the state of ${when}. Connections, settings, history and staged edits from after that are no longer in the application.`,
  confirmStored: 'The current database is stored with the backups, so you can undo the restore.',
  confirm: 'Restore at next start',
  pending: (name: string): string => `${name} is restored at the next start. Quit Tabularium and start it again.`,
  cancelRestore: "Don't restore",
  failed: 'The backup was not restored',
  folder: 'Folder',
  listFailed: "The backups can't be listed.",
  actionFailed: 'The action failed.',
};
