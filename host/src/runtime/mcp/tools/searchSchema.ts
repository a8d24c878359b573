import type { TableRef } from '@tabularium/sdk';
import { z } from 'zod';
import { connectionArgument, namespaceOutput } from './connectionArgument.ts';
import { describeEach } from './describeEach.ts';
import { timeoutArgument } from './resultRows.ts';
import { fittingEntries } from './fittingEntries.ts';
import { tableArgumentName } from './tableArgument.ts';
import { defineTool } from './tool.ts';

/** Looking for columns describes every table, one request or more for each. */
export const MOST_SEARCHED_TABLES = 500;
/** Tables that couldn't be described and are named. */
const MOST_NAMED = 5;
/** Of the time of a call, the part in which tables are described: what was found by then is the answer. */
const SHARE_OF_TIME = 0.8;

export const searchSchema = defineTool({
  name: 'search_schema',
  title: 'Search schema',
  description: 'Finds tables and columns by a part of their name.',
  input: z.strictObject({
    connection: connectionArgument,
    term: z.string().trim().min(1).max(200),
    maxMatches: z.number().int().min(1).max(500).default(50),
    timeoutSeconds: timeoutArgument,
  }),
  output: z.object({
    matches: z.array(
      z.object({
        table: z.string(),
        namespace: namespaceOutput.optional(),
        column: z.string().optional().describe('Absent: the name of the table matches.'),
        type: z.string().optional(),
      }),
    ),
    notes: z.array(z.string()).optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection: named, term, maxMatches, timeoutSeconds }, context) {
    context.timeLimit(timeoutSeconds);
    return context.withConnection(named, { kind: 'describe' }, async ({ session }) => {
      const wanted = term.toLowerCase();
      const matchesTerm = (name: string): boolean => name.toLowerCase().includes(wanted);
      const tables = (await session.listTables({ signal: context.signal })).map(({ ref }) => ref);
      const found: { index: number; table: string; namespace?: string[]; column?: string; type?: string }[] = [];
      const add = (index: number, ref: TableRef, column?: { name: string; type: string }): void => {
        found.push({
          index,
          table: ref.name,
          ...(ref.namespace.length === 0 ? {} : { namespace: [...ref.namespace] }),
          ...(column === undefined ? {} : { column: column.name, type: column.type }),
        });
      };
      for (const [index, ref] of tables.entries()) if (matchesTerm(ref.name)) add(index, ref);
      const searched = tables.slice(0, MOST_SEARCHED_TABLES);
      const notes: string[] = [];
      if (session.namespaces !== undefined) notes.push('Only tables that list_tables lists without a namespace were searched.');
      if (searched.length < tables.length) {
        notes.push(`Columns were looked for in the first ${searched.length} of ${tables.length} tables.`);
      }
      const { undescribed, begun } = await describeEach(session, searched, {
        signal: context.signal,
        milliseconds: timeoutSeconds * 1_000 * SHARE_OF_TIME,
        isWanted: () => found.length <= maxMatches,
        onDescribed: ({ columns }, index) => {
          const ref = searched[index];
          if (ref === undefined) return;
          for (const column of columns) if (matchesTerm(column.name)) add(index, ref, column);
        },
        onProgress: (done) => context.progress(done, searched.length),
      });
      if (begun < searched.length && found.length <= maxMatches)
        notes.push(`The time was up: columns were looked for in ${begun} of ${searched.length} tables.`);
      if (undescribed.length > 0) {
        const some = undescribed.slice(0, MOST_NAMED).map(({ ref, error }) => {
          const why = error instanceof Error ? error.message : 'the time was up';
          return `${tableArgumentName(ref)} (${why})`;
        });
        const more = undescribed.length > some.length ? `; and ${undescribed.length - some.length} more` : '';
        notes.push(context.errorText(`Columns of these tables could not be looked at: ${some.join('; ')}${more}.`));
      }
      // In the order of the tables, whichever was described first; a table before its columns.
      const sorted = found.toSorted(
        (a, b) => a.index - b.index || Number(a.column !== undefined) - Number(b.column !== undefined),
      );
      const matches = fittingEntries(sorted.slice(0, maxMatches).map(({ index: _, ...match }) => match));
      if (matches.length < sorted.length) notes.push(`Only the first ${matches.length} matches are here. Give a longer term.`);
      return { matches: [...matches], ...(notes.length === 0 ? {} : { notes }) };
    });
  },
});
