import { z } from 'zod';
import type { Shape } from './shape.ts';

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
export const developmentLogLineSchema = z.object({
  level: z.enum(['debug', 'info', 'warn', 'error']),
  message: z.string(),
  /** The line says where a debugger reaches the driver's process: `ws://127.0.0.1:9229/…`. */
  inspector: z.string().optional(),
});
export type DevelopmentLogLine = Shape<typeof developmentLogLineSchema>;

/** A build that was loaded, and the connections that were opened with it again. */
export const loadedBuildSchema = z.object({
  driver: z.string(),
  version: z.string(),
  sessions: z.array(z.object({ connection: z.string(), problem: z.string().optional() })),
  /** Whether its processes run with an inspector. */
  inspects: z.boolean(),
});
export type LoadedBuild = Shape<typeof loadedBuildSchema>;

/** A driver that its author is developing now, in a folder that is built at every change. */
export const developedDriverSchema = z.object({
  folder: z.string(),
  /** Absent until a first build was loaded. */
  driver: z.string().optional(),
  title: z.string().optional(),
  version: z.string().optional(),
  /** How often a build was loaded. */
  loads: z.number(),
  /** Why the last build failed; the one before stays in use. */
  problems: z.array(buildProblemSchema),
  /** Why the last build was not loaded. */
  refusal: z.string().optional(),
  /** The last errors and warnings of the build that runs. */
  lines: z.array(developmentLogLineSchema),
});
export type DevelopedDriver = Shape<typeof developedDriverSchema>;
