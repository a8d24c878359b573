import { FILTER_OPERATORS } from '@tabularium/sdk';
import type { Column } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { connectionArgument, namespaceOutput } from './connectionArgument.ts';
import { findTableArgument, tableArguments } from './tableArgument.ts';
import { defineTool } from './tool.ts';

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe table',
  description:
    'Describes a table: its columns with types, its key, what can be sorted and filtered, and how. Call it before you write a statement.',
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
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
        filterOperators: z.array(z.string()).describe("Filter operators; empty if the column can't be filtered."),
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
      const description = await findTableArgument(session, table, namespace, context.signal);
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
          filterOperators: describedOperators(manifest, column),
          ...(column.note === undefined ? {} : { note: column.note }),
        })),
        key: [...description.key],
        maxSorts: manifest.reading.maxSorts,
        notes: [...description.notes, ...(manifest.reading.sortRule === undefined ? [] : [manifest.reading.sortRule])],
      };
    });
  },
});

/** The filter operators of a column, from the manifest. */
export function describedOperators(manifest: Manifest, { filterClass }: Column): string[] {
  const operators = filterClass === undefined ? [] : (manifest.filtering?.classes[filterClass]?.operators ?? []);
  const allowed = new Set(
    operators.map((entry) => (typeof entry === 'string' ? entry : entry.refused === undefined ? entry.operator : undefined)),
  );
  return FILTER_OPERATORS.filter((operator) => allowed.has(operator));
}
