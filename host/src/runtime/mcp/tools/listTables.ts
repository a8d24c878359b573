import { isDriverError, NO_FILTER } from '@tabularium/sdk';
import type { RowCount, Session, TableSummary } from '@tabularium/sdk';
import { z } from 'zod';
import { connectionArgument, namespaceOutput } from './connectionArgument.ts';
import { fittingEntries } from './fittingEntries.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** More would fill a model's memory with names. */
export const MOST_LISTED_TABLES = 2_000;
/** Counting costs a request per table where the list does not bring the counts along. */
export const MOST_COUNTED_TABLES = 200;
const COUNTS_AT_ONCE = 4;

export const listTables = defineTool({
  name: 'list_tables',
  title: 'List tables',
  description: 'Tables and views of a connection. Call describe_table next.',
  input: z.strictObject({
    connection: connectionArgument,
    includeRowCounts: z.boolean().default(false).describe('Slower on some databases.'),
  }),
  output: z.object({
    tables: z.array(
      z.object({
        name: z.string(),
        namespace: namespaceOutput.optional(),
        kind: z.enum(['view', 'materializedView']).optional().describe('Absent for a table.'),
        rows: z.number().int().optional(),
        rowsExact: z.boolean().optional().describe('false: rows is an estimate.'),
        aliasOf: z.string().optional().describe('For an alias: the name of the table behind it.'),
      }),
    ),
    total: z.number().int().describe('How many there are.'),
    notes: z.array(z.string()).optional(),
  }),
  isFor: () => true,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection: named, includeRowCounts }, context) {
    return context.withConnection(named, { kind: 'describe' }, async ({ session }) => {
      const all = await session.listTables({ signal: context.signal });
      const fitting = fittingEntries(all.slice(0, MOST_LISTED_TABLES).map(({ ref }) => [ref.name, ref.namespace]));
      const shown = all.slice(0, fitting.length);
      const notes: string[] = [];
      if (shown.length < all.length) {
        notes.push(
          `Only the first ${shown.length} of ${all.length} are listed. search_schema finds others by a part of their name.`,
        );
      }
      const counts = includeRowCounts ? await countsOf(shown, session, context.signal, notes) : [];
      return {
        tables: shown.map(({ ref, kind, aliasOf }, index) => {
          const count = counts[index];
          return {
            name: ref.name,
            ...(ref.namespace.length === 0 ? {} : { namespace: [...ref.namespace] }),
            ...(kind === 'table' ? {} : { kind }),
            ...(count === undefined ? {} : { rows: count.rows, ...(count.exact ? {} : { rowsExact: false }) }),
            ...(aliasOf === undefined ? {} : { aliasOf: [...aliasOf.namespace, aliasOf.name].join('.') }),
          };
        }),
        total: all.length,
        ...(notes.length === 0 ? {} : { notes }),
      };
    });
  },
});

/** The counts that the list has brought along, and the others asked for one by one while there are not too many. */
async function countsOf(
  tables: readonly TableSummary[],
  session: Session,
  signal: AbortSignal,
  notes: string[],
): Promise<readonly (RowCount | undefined)[]> {
  const counts: (RowCount | undefined)[] = tables.map(({ count }) => count);
  const missing = counts.flatMap((count, index) => (count === undefined ? [index] : []));
  if (missing.length > MOST_COUNTED_TABLES) {
    notes.push(`The rows of ${missing.length} tables were not counted: that is done for ${MOST_COUNTED_TABLES} at most.`);
    return counts;
  }
  let failures = 0;
  const work = missing.values();
  const countOneAfterTheOther = async (): Promise<void> => {
    for (const index of work) {
      const table = tables[index]?.ref;
      if (table === undefined) continue;
      try {
        counts[index] = await session.countRows({ table, filter: NO_FILTER }, { signal });
      } catch (error) {
        // One table that cannot be counted must not hide the others.
        if (signal.aborted || !(isDriverError(error) || error instanceof ToolFailure)) throw error;
        failures += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: COUNTS_AT_ONCE }, countOneAfterTheOther));
  if (failures > 0) notes.push(`The rows of ${failures} tables could not be counted.`);
  return counts;
}
