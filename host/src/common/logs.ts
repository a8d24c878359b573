import { z } from 'zod';
import type { Shape } from './shape.ts';

/** From the least to the most urgent. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export const logLevelSchema = z.enum(LOG_LEVELS);
export type LogLevel = Shape<typeof logLevelSchema>;

/** Values beside a message: ids, versions, numbers. Never a row, a statement or a secret. */
export const logFieldsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type LogFields = Readonly<Shape<typeof logFieldsSchema>>;

/** One line of the host's log, as JSON. */
export const logEntrySchema = z.object({
  /** ISO 8601 in UTC, with milliseconds. */
  time: z.iso.datetime(),
  level: logLevelSchema,
  /** The part of the host that wrote it. */
  component: z.string(),
  message: z.string(),
  /** The error behind it, with its stack. */
  error: z.string().optional(),
  fields: logFieldsSchema.optional(),
});
export type LogEntry = Shape<typeof logEntrySchema>;

/** The least and the largest value of a setting. */
export const LOG_SETTINGS_LIMITS = { fileMegabytes: [1, 100], olderFiles: [0, 20] } as const;

const [LEAST_MEGABYTES, MOST_MEGABYTES] = LOG_SETTINGS_LIMITS.fileMegabytes;
const [LEAST_OLDER, MOST_OLDER] = LOG_SETTINGS_LIMITS.olderFiles;
const fileMegabytes = z.int().min(LEAST_MEGABYTES).max(MOST_MEGABYTES);
const olderFiles = z.int().min(LEAST_OLDER).max(MOST_OLDER);

/** The entries that the log keeps, and how much of the disk it takes: (`olderFiles` + 1) × `fileMegabytes` at most. */
export const logSettingsSchema = z.object({
  /** The least urgent level that is written. */
  level: logLevelSchema.default('info'),
  fileMegabytes: fileMegabytes.default(5),
  olderFiles: olderFiles.default(4),
});
export type LogSettings = Shape<typeof logSettingsSchema>;

/** A member that is absent stays as it is. */
export const logSettingChangesSchema = z.object({
  level: logLevelSchema.optional(),
  fileMegabytes: fileMegabytes.optional(),
  olderFiles: olderFiles.optional(),
});
export type LogSettingChanges = Shape<typeof logSettingChangesSchema>;

/** Whether an entry of a level is wanted by somebody who asks for `least` and what is more urgent. */
export function isUrgentEnough(level: LogLevel, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
}
