import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { filterArguments, toFilter } from './filterArgument.ts';
import { timeoutArgument } from './resultRows.ts';
import { sortArguments, toSorts } from './sortArgument.ts';
import { findTableArgument, tableArguments } from './tableArgument.ts';
import { defineTool } from './tool.ts';

export const explainFilter = defineTool({
  name: 'explain_filter',
  title: 'Explain filter',
  description: 'What the database is sent for filters and sorts, in its own language. Reads no row.',
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
    ...filterArguments,
    ...sortArguments,
    timeoutSeconds: timeoutArgument,
  }),
  output: z.object({
    sent: z
      .array(z.object({ label: z.string(), text: z.string() }))
      .optional()
      .describe('Absent: the driver cannot say.'),
    notes: z.array(z.string()).optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    context.timeLimit(args.timeoutSeconds);
    return context.withConnection(args.connection, { kind: 'describe' }, async ({ manifest, session }) => {
      const { signal } = context;
      const description = await findTableArgument(session, args.table, args.namespace, signal);
      const filter = toFilter(args, description, manifest);
      const sorts = toSorts(args, description);
      if (session.expressions === undefined) {
        return {
          notes: [`The filters and sorts fit the table. The driver for ${manifest.title} cannot show what it sends for them.`],
        };
      }
      const { parts, droppedSorts } = await session.expressions.ofRead({ table: description.ref, filter, sorts }, { signal });
      const notes = [
        ...(parts.length === 0 ? ['Nothing is sent: every row passes, in the order of the database.'] : []),
        ...droppedSorts.map(({ column, reason }) => `Not sorted by ${column}: ${reason}`),
      ];
      return { sent: parts.map(({ label, text }) => ({ label, text })), ...(notes.length === 0 ? {} : { notes }) };
    });
  },
});
