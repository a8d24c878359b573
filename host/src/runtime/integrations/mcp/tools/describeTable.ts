import { FILTER_OPERATORS, isDriverError } from '@tabularium/sdk';
import type { Column, Session, TableDescription, TableRef } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { connectionArgument, namespaceOutput } from './connectionArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe table',
  description:
    'Describes a table: its columns with types, its key, what can be sorted and filtered, and how. Call it before you write a statement.',
  input: z.strictObject({
    connection: connectionArgument,
    table: z.string().min(1).max(500).describe('The name that list_tables gives.'),
    namespace: z
      .array(z.string().max(500))
      .max(8)
      .optional()
      .describe('The namespace that list_tables gives; needed when tables share a name.'),
  }),
  output: z.object({
    connection: z.object({ id: z.string(), name: z.string() }),
    name: z.string(),
    namespace: namespaceOutput,
    kind: z.enum(['table', 'view', 'materializedView']),
    columns: z.array(
      z.object({
        name: z.string(),
        type: z.string().describe("The database's own name of the type."),
        kind: z.string().describe('How its values are read: text, integer, decimal, boolean, json …'),
        nullable: z.boolean(),
        key: z.boolean().describe('Whether it belongs to the key.'),
        sortable: z.boolean(),
        filterOperators: z.array(z.string()).describe('What it can be filtered with; empty: it cannot.'),
        note: z.string().optional(),
      }),
    ),
    key: z.array(z.string()).describe('The columns that name a row, in order; empty: rows have no identity.'),
    maxSorts: z.number().int().describe('By how many columns a page can be sorted.'),
    notes: z.array(z.string()),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection: named, table, namespace }, context) {
    return context.withConnection(named, { kind: 'describe' }, async ({ connection, manifest, session }) => {
      const description = await describe(session, table, namespace, context.signal);
      const key = new Set(description.key);
      return {
        connection: { id: connection.id, name: connection.name },
        name: description.ref.name,
        namespace: [...description.ref.namespace],
        kind: description.kind,
        columns: description.columns.map((column) => ({
          name: column.name,
          type: column.type,
          kind: column.kind,
          nullable: column.nullable,
          key: key.has(column.name),
          sortable: column.sortable.allowed,
          filterOperators: operatorsOf(manifest, column),
          ...(column.note === undefined ? {} : { note: column.note }),
        })),
        key: [...description.key],
        maxSorts: manifest.reading.maxSorts,
        notes: [...description.notes, ...(manifest.reading.sortRule === undefined ? [] : [manifest.reading.sortRule])],
      };
    });
  },
});

/** Asks for the table as it is named; only a name that is not found so is looked for in the list, which narrow credentials may not read. */
async function describe(
  session: Session,
  name: string,
  namespace: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<TableDescription> {
  try {
    return await session.describeTable({ namespace: namespace ?? [], name }, { signal });
  } catch (error) {
    if (!isDriverError(error) || error.code !== 'NOT_FOUND' || signal.aborted) throw error;
    const named = namespace === undefined ? await tablesNamed(session, name, signal) : [];
    const [only] = named;
    if (only !== undefined && named.length === 1) return session.describeTable(only, { signal });
    if (named.length > 1) {
      throw new ToolFailure(
        'INVALID_INPUT',
        `Several tables are named "${name}".`,
        `Say which one with namespace: ${named.map((ref) => JSON.stringify(ref.namespace)).join(', ')}.`,
      );
    }
    throw new ToolFailure('NOT_FOUND', `There is no table "${name}".`, 'Call list_tables to see which there are.');
  }
}

async function tablesNamed(session: Session, name: string, signal: AbortSignal): Promise<readonly TableRef[]> {
  const tables = await session.listTables({ signal });
  return tables.map(({ ref }) => ref).filter((ref) => ref.name === name && ref.namespace.length > 0);
}

function operatorsOf(manifest: Manifest, { filterClass }: Column): string[] {
  const operators = filterClass === undefined ? [] : (manifest.filtering?.classes[filterClass]?.operators ?? []);
  const allowed = new Set(
    operators.map((entry) => (typeof entry === 'string' ? entry : entry.refused === undefined ? entry.operator : undefined)),
  );
  return FILTER_OPERATORS.filter((operator) => allowed.has(operator));
}
