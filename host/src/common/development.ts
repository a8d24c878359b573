import { z } from 'zod';

/** Something wrong in the sources of a driver that is being developed. */
export const buildProblemSchema = z.object({
  message: z.string().max(4_000),
  /** Absolute. */
  file: z.string().max(2_000).optional(),
  line: z.number().int().positive().optional(),
  column: z.number().int().positive().optional(),
});
export type ReportedBuildProblem = z.output<typeof buildProblemSchema>;

/** A line that a driver, its process or the host had to say. */
export interface DevelopmentLogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
}

/** A driver that its author is developing now, in a folder that is built at every change. */
export interface DevelopedDriver {
  readonly folder: string;
  /** Absent until a first build was loaded. */
  readonly driver?: string;
  readonly title?: string;
  readonly version?: string;
  /** How often a build was loaded. */
  readonly loads: number;
  /** Why the last build is none; the one before goes on. */
  readonly problems: readonly ReportedBuildProblem[];
  /** Why the last build was not loaded. */
  readonly refusal?: string;
  /** The last errors and warnings of the build that runs. */
  readonly lines: readonly DevelopmentLogLine[];
}
