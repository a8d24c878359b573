import { z } from 'zod';

// What hosts answer about themselves, as this version understands it.

export const shownWindowSchema = z.object({ ui: z.string().nullable(), mcp: z.string().nullable(), home: z.string() });
export const windowUrlSchema = z.object({ url: z.string() });
export const mcpStateSchema = z.object({ url: z.string().optional() });
export const backupSchema = z.object({ file: z.string(), bytes: z.number(), createdAt: z.string() });
