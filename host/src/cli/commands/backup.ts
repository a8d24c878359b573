import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { defineCommand } from './command.ts';

export const createBackup = defineCommand({
  input: z.object({
    /** Absolute; left out: a file in the data directory's own folder of backups. */
    output: z.string().optional(),
    overwrite: z.boolean().default(false),
  }),
  output: z.object({ file: z.string(), bytes: z.number(), createdAt: z.string() }),
  run: async (services, { output, overwrite }) => {
    if (output === undefined) {
      const { file, bytes, createdAt } = await services.backups.create();
      return { file, bytes, createdAt };
    }
    const createdAt = new Date().toISOString();
    await services.backups.copyTo(output, overwrite);
    return { file: output, bytes: (await stat(output)).size, createdAt };
  },
});
