import { z } from 'zod';
import { defineCommand } from './command.ts';

/** Asked by an address of our scheme. */
export const ensureMcp = defineCommand({
  input: z.object({}),
  output: z.object({}),
  run: async (services) => {
    await services.ensureMcp?.();
    return {};
  },
});

/** Asked by a start by hand. Null: the host is not hidden. */
export const showHidden = defineCommand({
  input: z.object({}),
  output: z.object({ shown: z.object({ ui: z.string().nullable(), mcp: z.string().nullable(), home: z.string() }).nullable() }),
  run: async (services) => ({ shown: services.showHidden?.() ?? null }),
});
