import { wholeStart } from '@tabularium/sdk';
import { z } from 'zod';
import { fittingEntries } from './fittingEntries.ts';
import type { ToolHistoryEntry } from './historyReader.ts';
import { connectionArgument } from './connectionArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** Characters of a statement in an answer. */
const LONGEST_SHOWN = 4_000;

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
    notes: z.array(z.string()).optional(),
  }),
  isFor: ({ read, history }) => read && history,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ connection: named, text, maxEntries }, context) {
    const among = named === undefined ? context.visibleConnections() : [context.connection(named, { kind: 'read' })];
    if (context.history === undefined) {
      throw new ToolFailure('UNSUPPORTED', 'This host keeps no history of statements.', 'There is nothing else to try.');
    }
    const names = new Map(among.map(({ id, name }) => [id, name]));
    const entries = await context.history.search({ connectionIds: [...names.keys()], text, limit: maxEntries });
    const found = entries.flatMap((entry) => {
      const { connectionId, time, outcome, milliseconds, rows } = entry;
      const name = names.get(connectionId);
      // The history is asked for these alone; what it adds is not passed on.
      if (name === undefined) return [];
      return [
        {
          connection: { id: connectionId, name },
          statement: shownStatement(entry),
          time,
          outcome,
          ...(milliseconds === undefined ? {} : { milliseconds }),
          ...(rows === undefined ? {} : { rows }),
        },
      ];
    });
    const fitting = fittingEntries(found);
    const left = found.length - fitting.length;
    return {
      entries: [...fitting],
      ...(left === 0 ? {} : { notes: [`${left} more are left out: search for a text, or ask for fewer.`] }),
    };
  },
});

/** A statement that lost its end, or a secret, must not look like a whole one: run again, a DELETE could have lost its condition. */
function shownStatement({ statement, isWhole }: ToolHistoryEntry): string {
  if (statement.length > LONGEST_SHOWN) return `${wholeStart(statement, LONGEST_SHOWN)}… (cut: not the whole statement)`;
  return isWhole ? statement : `${statement}… (not the whole statement that was run)`;
}
