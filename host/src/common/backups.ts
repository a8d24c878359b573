import { z } from 'zod';

/**
 * Why a backup was made. `daily`, `manual`, `migration`: by the host; `replaced`: the database that a restore replaced; `damaged`: the same,
 * where it could not be read and was moved as it was.
 */
export const backupKindSchema = z.enum(['daily', 'manual', 'migration', 'replaced', 'damaged']);
export type BackupKind = z.output<typeof backupKindSchema>;

export const backupInfoSchema = z.object({
  name: z.string(),
  /** Absolute. */
  file: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  kind: backupKindSchema,
  bytes: z.number(),
});
export type BackupInfo = z.output<typeof backupInfoSchema>;

/** The backups of the data directory, newest first. */
export const backupsViewSchema = z.object({
  folder: z.string(),
  backups: z.array(backupInfoSchema),
  /** The name of the backup that the next start restores. */
  pending: z.string().optional(),
  /** Why the restore at the last start failed. The database was not changed. */
  restoreFailure: z.string().optional(),
});
export type BackupsView = z.output<typeof backupsViewSchema>;

/** A copy of the database at a path that was named. */
export const backupCopySchema = backupInfoSchema.pick({ file: true, bytes: true, createdAt: true });

/** A name in the folder of the backups. */
export const backupNameSchema = z.object({ name: z.string().min(1).max(200) });
