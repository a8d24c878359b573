import { wholeStart } from '@tabularium/sdk';
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
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
    offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  }),
  output: z.object({
    language: z.string(),
    text: z.string(),
    nextOffset: z.number().int().optional(),
    notes: z.array(z.string()).optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection, table, namespace, offset = 0 }, context) {
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
      if (offset > 0 && offset >= text.length)
        throw new ToolFailure(
          'INVALID_INPUT',
          `The definition has ${text.length} characters.`,
          'Give the nextOffset of the answer before.',
        );
      const part = definitionPart(text, offset);
      const end = offset + part.length;
      if (end === text.length) return { language, text: part };
      const note = `Of the ${text.length} characters of the definition, ${end} are read. Continue with offset: nextOffset.`;
      return { language, text: part, nextOffset: end, notes: [note] };
    });
  },
});

/** As much from a place on as an answer has room for. Of a word that is too long for it, a part. */
export function definitionPart(text: string, offset: number, maxTokens = DEFAULT_TOKENS): string {
  const rest = text.slice(offset);
  const fitting = fittingCharacters(rest, maxTokens);
  return wholeStart(rest, fitting === 0 ? Math.max(2, maxTokens) : fitting);
}
