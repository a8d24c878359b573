import { z } from 'zod';
import { defineCommand } from './command.ts';
import { findConnection, tellOpening } from './find.ts';

export const listTables = defineCommand({
  input: z.object({ connection: z.string() }),
  output: z.object({
    tables: z.array(
      z.object({
        /** With what contains it, joined by dots. */
        name: z.string(),
        rows: z.number().nullable(),
        /** The number of rows is an estimate. */
        estimated: z.literal(true).optional(),
      }),
    ),
  }),
  run: async (services, input, context) => {
    const { id } = findConnection(services, input.connection);
    const tables = await services.sessions.use(id, ({ session }) => session.listTables({ signal: context.signal }), {
      signal: context.signal,
      onProgress: tellOpening(context),
    });
    return {
      tables: tables.map(({ ref, count }) => ({
        name: [...ref.namespace, ref.name].join('.'),
        rows: count?.rows ?? null,
        ...(count?.exact === false ? { estimated: true as const } : {}),
      })),
    };
  },
});
