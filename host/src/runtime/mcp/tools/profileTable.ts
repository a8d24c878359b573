import { isAbsent, isDriverError } from '@tabularium/sdk';
import type { Cell, Column, Filter, RowBatch, Session, Sort, TableDescription } from '@tabularium/sdk';
import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { filterArguments, toFilter } from './filterArgument.ts';
import { fittingEntries } from './fittingEntries.ts';
import { jsonValue } from './jsonValue.ts';
import type { Cuts } from './jsonValue.ts';
import { timeoutArgument } from './resultRows.ts';
import { columnNameArgument, findTableArgument, requireColumn, tableArguments } from './tableArgument.ts';
import { defineTool } from './tool.ts';
import { driverBatch } from '../../data/driverBatch.ts';

/** Rows that are looked at. */
const SAMPLE_ROWS = 250;
/** Columns whose ends are asked for, with one request for each end. */
const MOST_RANGED_COLUMNS = 12;
const RANGES_AT_ONCE = 4;
const EXAMPLES = 3;
/** Characters of an example. */
const EXAMPLE_CHARACTERS = 60;
/** Bytes of a value that is not worth reading for an example. */
const UNREAD_BYTES = 1_024;
const RANGED_KINDS: ReadonlySet<string> = new Set(['integer', 'decimal', 'date', 'time', 'timestamp']);

const columnOutput = z.object({
  name: z.string(),
  filled: z.number().int().describe('Rows of the sample that have a value.'),
  distinct: z.number().int().describe('Different values in the sample.'),
  min: z.unknown().optional().describe('Of all rows.'),
  max: z.unknown().optional().describe('Of all rows.'),
  examples: z.array(z.unknown()).describe('The most frequent values of the sample first.'),
});
type ColumnProfile = z.input<typeof columnOutput>;

export const profileTable = defineTool({
  name: 'profile_table',
  title: 'Profile table',
  description: 'An overview of a table: rows, and of each column how many are filled, different values, ends and examples.',
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
    columns: z.array(columnNameArgument).min(1).max(1_000).optional(),
    ...filterArguments,
    timeoutSeconds: timeoutArgument,
  }),
  output: z.object({
    rows: z.number().int(),
    rowsExact: z.boolean().optional(),
    sampledRows: z.number().int().describe('filled, distinct and examples are of these.'),
    columns: z.array(columnOutput),
    notes: z.array(z.string()).optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    context.timeLimit(args.timeoutSeconds);
    return context.withConnection(args.connection, { kind: 'read' }, async ({ manifest, session }) => {
      const { signal } = context;
      const description = await findTableArgument(session, args.table, args.namespace, signal);
      const filter = toFilter(args, description, manifest);
      const wanted = args.columns?.map((name) => requireColumn(name, description));
      const [{ rows, exact }, page] = await Promise.all([
        session.countRows({ table: description.ref, filter }, { signal }),
        session.readPage(
          {
            table: description.ref,
            filter,
            sorts: [],
            position: { from: 'start' },
            limit: SAMPLE_ROWS,
            ...(args.columns === undefined ? {} : { columns: [...new Set([...description.key, ...args.columns])] }),
            ...(session.rows === undefined ? {} : { placeholders: { over: UNREAD_BYTES } }),
          },
          { signal },
        ),
      ]);
      // Placeholders are looked at like values: each stands for one that is there.
      const batch = driverBatch(page.batch);
      const known = wanted ?? description.columns;
      const profiles = known.map((column) => profileOf(column, batch));
      const ranged = known.filter((column) => column.sortable.allowed && RANGED_KINDS.has(column.kind));
      const ends = await rangesOf(ranged.slice(0, MOST_RANGED_COLUMNS), description, session, filter, signal);
      const all = profiles.map((profile) => ({ ...profile, ...ends.get(profile.name) }));
      const columns = fittingEntries(all);
      const left = all.length - columns.length;
      const notes = [
        ...(left === 0 ? [] : [`${left} columns were left out. Name the columns you need.`]),
        ...(ranged.length > MOST_RANGED_COLUMNS
          ? [
              `min and max were asked of the first ${MOST_RANGED_COLUMNS} of ${ranged.length} columns that have them. Name the columns you need.`,
            ]
          : []),
      ];
      return {
        rows,
        ...(exact ? {} : { rowsExact: false }),
        sampledRows: batch.rows.length,
        columns: [...columns],
        ...(notes.length === 0 ? {} : { notes }),
      };
    });
  },
});

function profileOf({ name, kind }: Column, batch: RowBatch): ColumnProfile {
  const index = batch.columns.findIndex((column) => column.name === name);
  const counts = new Map<string, { readonly cell: Cell; count: number }>();
  let filled = 0;
  for (const row of batch.rows) {
    const cell = row[index] ?? null;
    if (cell === null || isAbsent(cell)) continue;
    filled += 1;
    const text = JSON.stringify(cell);
    const seen = counts.get(text);
    if (seen === undefined) counts.set(text, { cell, count: 1 });
    else seen.count += 1;
  }
  const frequent = [...counts.values()].toSorted((a, b) => b.count - a.count).slice(0, EXAMPLES);
  return { name, filled, distinct: counts.size, examples: frequent.map(({ cell }) => exampleOf(cell, kind)) };
}

function exampleOf(cell: Cell, kind: Column['kind']): unknown {
  // A placeholder, whose tag no cell has.
  if (Array.isArray(cell) && (cell[0] as string) === 'unread') return '(a long value)';
  const cuts: Cuts = { values: 0, longest: 0, limit: EXAMPLE_CHARACTERS };
  return jsonValue(cell, kind, cuts) ?? null;
}

/** The ends of columns, where the database sorts by them: one row from each end. One that cannot be asked is left out. */
async function rangesOf(
  columns: readonly Column[],
  description: TableDescription,
  session: Session,
  filter: Filter,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Pick<ColumnProfile, 'min' | 'max'>>> {
  const ends = new Map<string, Pick<ColumnProfile, 'min' | 'max'>>();
  const work = columns.values();
  const askOneAfterTheOther = async (): Promise<void> => {
    for (const column of work) {
      const [min, max] = [
        await endOf(column, 'ascending', description, session, filter, signal),
        await endOf(column, 'descending', description, session, filter, signal),
      ];
      ends.set(column.name, { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) });
    }
  };
  await Promise.all(Array.from({ length: RANGES_AT_ONCE }, askOneAfterTheOther));
  return ends;
}

async function endOf(
  { name, kind }: Column,
  direction: Sort['direction'],
  { ref, key }: TableDescription,
  session: Session,
  filter: Filter,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const page = await session.readPage(
      {
        table: ref,
        filter,
        sorts: [{ column: name, direction }],
        position: { from: 'start' },
        limit: 1,
        columns: [...new Set([...key, name])],
      },
      { signal },
    );
    const batch = driverBatch(page.batch);
    const cell = batch.rows[0]?.[batch.columns.findIndex((column) => column.name === name)];
    if (page.droppedSorts.length > 0 || cell === undefined || cell === null || isAbsent(cell)) return undefined;
    return exampleOf(cell, kind);
  } catch (error) {
    if (signal.aborted || !isDriverError(error)) throw error;
    return undefined;
  }
}
