import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { findTableArgument, tableArguments } from './tableArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';

export const tableDefinition = defineTool({
  name: 'get_table_definition',
  title: 'Table definition',
  description: "Gives a table's definition in the database's own language, such as its DDL or its schema as JSON.",
  input: z.strictObject({ connection: connectionArgument, ...tableArguments }),
  output: z.object({ language: z.string(), text: z.string() }),
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
      return { language: definition.language, text: definition.text };
    });
  },
});
