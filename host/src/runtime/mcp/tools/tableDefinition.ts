import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { findTableArgument, tableArguments } from './tableArgument.ts';
import { DEFAULT_TOKENS } from './resultRows.ts';
import { fittingCharacters } from './tokenEstimate.ts';
import { defineTool, ToolFailure } from './tool.ts';

export const tableDefinition = defineTool({
  name: 'get_table_definition',
  title: 'Table definition',
  description: "A table's definition in the database's own language, such as its DDL.",
  input: z.strictObject({ connection: connectionArgument, ...tableArguments }),
  output: z.object({ language: z.string(), text: z.string(), notes: z.array(z.string()).optional() }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection, table, namespace }, context) {
    return context.withConnection(connection, { kind: 'describe' }, async ({ session }) => {
      const { definition } = await findTableArgument(session, table, namespace, context.signal);
      if (definition === undefined) {
        throw new ToolFailure(
          'UNSUPPORTED',
          'This database has no definition of it to show.',
          'Call describe_table for its columns.',
        );
      }
      const { language, text } = definition;
      const fitting = fittingCharacters(text, DEFAULT_TOKENS);
      if (fitting === text.length) return { language, text };
      const note = `The definition has ${text.length} characters; only the first ${fitting} are here. describe_table and search_schema have its columns.`;
      return { language, text: text.slice(0, fitting).toWellFormed(), notes: [note] };
    });
  },
});
