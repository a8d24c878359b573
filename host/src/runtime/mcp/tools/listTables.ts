import { createHash } from 'node:crypto';
import { isDriverError, NO_FILTER } from '@tabularium/sdk';
import type { RowCount, Session, TableSummary } from '@tabularium/sdk';
import { z } from 'zod';
import { isInitial, isWithin } from '../../../common/namespaces.ts';
import { connectionArgument, namespaceOutput } from './connectionArgument.ts';
import { fittingEntries } from './fittingEntries.ts';
import { tableArguments } from './tableArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** More would fill a model's memory with names. */
export const MOST_LISTED_TABLES = 2_000;
/** Counting costs a request per table where the list does not bring the counts along. */
export const MOST_COUNTED_TABLES = 200;
const COUNTS_AT_ONCE = 4;
/** Two cursors of a driver, written as JSON, with what binds them to their list. */
const LONGEST_CURSOR = 50_000;

export const listTables = defineTool({
  name: 'list_tables',
  title: 'List tables',
  description: 'Tables and views of a connection. Call describe_table next.',
  input: z.strictObject({
    connection: connectionArgument,
    namespace: tableArguments.namespace.describe('Only what is in it.'),
    after: z.string().max(LONGEST_CURSOR).optional().describe('next of the page before.'),
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
    total: z.number().int().optional(),
    namespaces: z.array(z.array(z.string())).optional().describe('Not listed here.'),
    next: z.string().optional(),
    notes: z.array(z.string()).optional(),
  }),
  isFor: () => true,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection: named, namespace, after, includeRowCounts }, context) {
    return context.withConnection(named, { kind: 'describe' }, async ({ session, connection }) => {
      const { signal } = context;
      const asked = { connectionId: connection.id, namespace: namespace ?? [], after, signal };
      const shownOf = (tables: readonly TableSummary[]): readonly TableSummary[] =>
        tables.slice(0, fittingEntries(tables.slice(0, MOST_LISTED_TABLES).map(({ ref }) => [ref.name, ref.namespace])).length);
      let page = await listedPage(session, asked);
      let shown = shownOf(page.tables);
      if (page.isPaged && shown.length < page.tables.length) {
        // Names so long need a smaller page, behind whose end the next one begins.
        page = await listedPage(session, { ...asked, limit: Math.max(1, shown.length) });
        shown = page.tables;
      }
      const all = page.tables;
      const notes: string[] = [];
      if (shown.length < all.length) {
        notes.push(
          `Only the first ${shown.length} of ${all.length} are listed. search_schema finds others by a part of their name.`,
        );
      }
      if (page.namespaces.length > 0)
        notes.push('namespaces names those whose tables are not here: call again with one of them.');
      const counts = includeRowCounts ? await countsOf(shown, session, signal, notes) : [];
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
        ...(page.isPaged ? {} : { total: all.length }),
        ...(page.namespaces.length === 0 ? {} : { namespaces: page.namespaces.map((path) => [...path]) }),
        ...(page.next === undefined ? {} : { next: page.next }),
        ...(notes.length === 0 ? {} : { notes }),
      };
    });
  },
});

interface ListedPage {
  readonly tables: readonly TableSummary[];
  /** Whether they are a page of a namespace, and not the list of the session. */
  readonly isPaged: boolean;
  /** Namespaces whose tables are not among them. */
  readonly namespaces: readonly (readonly string[])[];
  readonly next?: string;
}

/** Entries of one page of namespaces or tables. */
const PAGE = 500;
/** Where the lists of tables and of namespaces continue; null for one that has ended. */
const cursorSchema = z.tuple([z.string().nullable(), z.string().nullable()]);

/** The tables that a session lists in a namespace, or a page of those that it lists only when they are asked for. */
async function listedPage(
  session: Session,
  {
    connectionId,
    namespace,
    after,
    signal,
    limit = PAGE,
  }: {
    readonly connectionId: string;
    readonly namespace: readonly string[];
    readonly after: string | undefined;
    readonly signal: AbortSignal;
    readonly limit?: number;
  },
): Promise<ListedPage> {
  const { namespaces: facet } = session;
  const cursor = cursorOf(after, connectionId, namespace);
  if (facet === undefined || isInitial(facet, namespace)) {
    const all = await session.listTables({ signal });
    return { tables: all.filter(({ ref }) => isWithin(ref.namespace, namespace)), isPaged: false, namespaces: [] };
  }
  const page = (place: string | null | undefined, most: number) => ({
    ...{ signal, limit: most },
    ...(typeof place === 'string' ? { after: place } : {}),
  });
  const [tableCursor, namespaceCursor] = cursor ?? [];
  const listed = namespace.length === 0 && cursor === undefined ? await session.listTables({ signal }) : [];
  const tables = tableCursor === null ? undefined : await facet.listTables(namespace, page(tableCursor, limit));
  const inside = namespaceCursor === null ? undefined : await facet.list(namespace, page(namespaceCursor, PAGE));
  const others = (inside?.namespaces ?? []).map(({ path }) => path).filter((path) => !isInitial(facet, path));
  const known = new Set(listed.map(({ ref }) => JSON.stringify(ref)));
  const here = [...listed, ...(tables?.tables ?? []).filter(({ ref }) => !known.has(JSON.stringify(ref)))];
  const next = [tables?.next ?? null, inside?.next ?? null] as const;
  return {
    tables: here,
    isPaged: namespace.length > 0 || cursor !== undefined,
    namespaces: others,
    ...(next.every((one) => one === null) ? {} : { next: boundCursor(JSON.stringify(next), connectionId, namespace) }),
  };
}

/**
 * Where a list continues, bound to that list: a driver takes a cursor of another namespace for one that is behind its last entry, and the page would be empty
 * without an error.
 */
function boundCursor(place: string, connectionId: string, namespace: readonly string[]): string {
  const check = createHash('sha256')
    .update(JSON.stringify([connectionId, namespace, place]))
    .digest('base64url');
  return `${check.slice(0, CHECK_LENGTH)}${place}`;
}

const CHECK_LENGTH = 12;

/** @throws ToolFailure `INVALID_INPUT` for a cursor of another list, and one that was changed */
function cursorOf(
  after: string | undefined,
  connectionId: string,
  namespace: readonly string[],
): z.output<typeof cursorSchema> | undefined {
  if (after === undefined) return undefined;
  const place = after.slice(CHECK_LENGTH);
  if (boundCursor(place, connectionId, namespace) === after) return cursorSchema.parse(JSON.parse(place));
  throw new ToolFailure(
    'INVALID_INPUT',
    "The list can't continue there.",
    'Give after exactly as next was, with the same connection and namespace, or leave it out.',
  );
}

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
