import { z } from 'zod';
import type { Shape } from './shape.ts';

/** The outcome of one check of an installation. */
export const checkSchema = z.object({
  /** Stable, for programs: `database`, `registries`. */
  name: z.string(),
  ok: z.boolean(),
  /** The fact in one sentence. */
  finding: z.string(),
  /** The next step; null where there is none. */
  advice: z.string().nullable(),
});
export type InstallationCheck = Shape<typeof checkSchema>;

/** A check as the host makes it, with what a support report has of it. */
export const hostCheckSchema = checkSchema.extend({
  /** Without the names of connections; absent where the check has none. */
  forReport: checkSchema.pick({ finding: true, advice: true }).optional(),
});
export type HostCheck = Shape<typeof hostCheckSchema>;

/** More than there are. */
const MOST_CHECKS = 100;

export const checkupSchema = z.object({ checks: z.array(checkSchema).max(MOST_CHECKS) });

export const hostCheckupSchema = z.object({ checks: z.array(hostCheckSchema).max(MOST_CHECKS) });

/** A support report: text of many lines. */
export const supportTextSchema = z.object({ text: z.string() });
