import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';

export const searchQueryHistory = defineTool({
  name: 'search_query_history',
  title: 'Search query history',
  description: 'Statements that were run before, newest first.',
  input: z.strictObject({
    connection: connectionArgument.optional(),
    text: z.string().max(500).optional(),
    maxEntries: z.number().int().min(1).max(500).default(50),
  }),
  output: z.object({
    entries: z.array(
      z.object({
        connection: z.object({ id: z.string(), name: z.string() }),
        statement: z.string(),
        time: z.string(),
        outcome: z.string(),
        milliseconds: z.number().optional(),
        rows: z.number().optional(),
      }),
    ),
  }),
  isFor: ({ read, history }) => read && history,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ connection: named, text, maxEntries }, context) {
    const among = named === undefined ? context.visibleConnections() : [context.connection(named, { kind: 'read' })];
    if (context.history === undefined) {
      throw new ToolFailure('UNSUPPORTED', 'This host keeps no history of statements.', 'There is nothing else to try.');
    }
    const names = new Map(among.map(({ id, name }) => [id, name]));
    const entries = context.history.search({ connectionIds: [...names.keys()], text, limit: maxEntries });
    return {
      entries: entries.flatMap(({ connectionId, statement, time, outcome, milliseconds, rows }) => {
        const name = names.get(connectionId);
        // The history is asked for these alone; what it adds is not passed on.
        if (name === undefined) return [];
        return [
          {
            connection: { id: connectionId, name },
            statement,
            time,
            outcome,
            ...(milliseconds === undefined ? {} : { milliseconds }),
            ...(rows === undefined ? {} : { rows }),
          },
        ];
      }),
    };
  },
});
