import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { filterArguments, toFilter } from './filterArgument.ts';
import { timeoutArgument } from './resultRows.ts';
import { findTableArgument, tableArguments } from './tableArgument.ts';
import { defineTool } from './tool.ts';

export const countRows = defineTool({
  name: 'count_rows',
  title: 'Count rows',
  description: 'Counts rows of a table that pass filters.',
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
    ...filterArguments,
    timeoutSeconds: timeoutArgument,
  }),
  output: z.object({ rows: z.number().int(), exact: z.boolean().describe('false: rows is an estimate.') }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    context.timeLimit(args.timeoutSeconds);
    return context.withConnection(args.connection, { kind: 'read' }, async ({ manifest, session }) => {
      const description = await findTableArgument(session, args.table, args.namespace, context.signal);
      const filter = toFilter(args, description, manifest);
      const { rows, exact } = await session.countRows({ table: description.ref, filter }, { signal: context.signal });
      return { rows, exact };
    });
  },
});
