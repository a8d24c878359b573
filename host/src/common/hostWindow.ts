import { z } from 'zod';
import type { Shape } from './shape.ts';

/** The window of a host as a manual start gets it. */
export const shownWindowSchema = z.object({
  /** Opens the window, once. Null: the host has a shell of its own, and shows it. */
  ui: z.string().nullable(),
  /** Null: its owner has switched the MCP server off. */
  mcp: z.string().nullable(),
  home: z.string(),
});
export type ShownWindow = Shape<typeof shownWindowSchema>;

/** A new address of the window. It works once. */
export const windowUrlSchema = z.object({ url: z.string() });

/** Where the window was opened: in a window of its own, or in a tab of the person's browser. */
export const openedWindowSchema = z.object({ opened: z.enum(['app', 'browser']) });

/** The one line of a host that is ready. */
export const readyHostSchema = z.object({
  ready: z.literal(true),
  /** Whether it waits for somebody to ask for its window. */
  hidden: z.literal(true).optional(),
  ...shownWindowSchema.shape,
  /** Whether the host is one that ran already: nothing of this start's own settings is in it. */
  attached: z.literal(true).optional(),
});
export type ReadyHost = Shape<typeof readyHostSchema>;
