import { backupKindSchema } from '../../common/backups.ts';
import type { BackupKind } from '../../common/backups.ts';

const NAME = /^tabularium-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)-(daily|manual|migration|replaced|damaged)\.db$/;

/** Such as `tabularium-2026-11-22T05-26-07.123Z-daily.db`: sorts by time, and Windows takes no colons. */
export function backupName(time: Date, kind: BackupKind): string {
  return `tabularium-${time.toISOString().replaceAll(':', '-')}-${kind}.db`;
}

/** Undefined for a file that is not one of our backups. */
export function parseBackupName(name: string): { readonly createdAt: string; readonly kind: BackupKind } | undefined {
  const match = NAME.exec(name);
  if (match === null) return undefined;
  const [, day = '', hours = '', minutes = '', seconds = '', kind] = match;
  const createdAt = `${day}T${hours}:${minutes}:${seconds}`;
  return Number.isNaN(Date.parse(createdAt)) ? undefined : { createdAt, kind: backupKindSchema.parse(kind) };
}
