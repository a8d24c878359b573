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
    /** What the session found that is not as it should be, such as a key that the server refuses; absent when there is none. */
    findings: z.array(z.object({ label: z.string(), outcome: z.enum(['warning', 'failed']), message: z.string() })).optional(),
  }),
  run: async (services, input, context) => {
    const { id } = findConnection(services, input.connection);
    const { tables, findings } = await services.sessions.use(
      id,
      async ({ session }) => ({ tables: await session.listTables({ signal: context.signal }), findings: session.findings }),
      { signal: context.signal, onProgress: tellOpening(context) },
    );
    const notOk = findings.flatMap(({ label, outcome, message }) => (outcome === 'ok' ? [] : [{ label, outcome, message }]));
    return {
      tables: tables.map(({ ref, count }) => ({
        name: [...ref.namespace, ref.name].join('.'),
        rows: count?.rows ?? null,
        ...(count?.exact === false ? { estimated: true as const } : {}),
      })),
      ...(notOk.length === 0 ? {} : { findings: notOk }),
    };
  },
});
