import { FILTER_OPERATORS } from '@tabularium/sdk';
import type { Column, ForeignKey, TableRef } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { columnNote } from '../../../common/columnNote.ts';
import { connectionArgument, namespaceOutput } from './connectionArgument.ts';
import { fittingEntries } from './fittingEntries.ts';
import { findTableArgument, tableArguments } from './tableArgument.ts';
import { columnStructure, tableStructure } from './tableStructure.ts';
import { defineTool } from './tool.ts';

/** Of the foreign keys in an answer, and of the keys of others that refer to the table. */
const FOREIGN_KEY_TOKENS = 4_000;
const REFERRING_KEY_TOKENS = 2_000;

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe table',
  description:
    'Columns of a table with types and filter operators, its key, what can be sorted. Call it before you write a statement.',
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
  }),
  output: z.object({
    name: z.string(),
    namespace: namespaceOutput.optional(),
    kind: z.enum(['table', 'view', 'materializedView']),
    columns: z.array(
      z.object({
        name: z.string(),
        type: z.string().describe("The database's own name of the type."),
        kind: z.string().optional().describe('How its values are read (integer, json …); absent where it is the type.'),
        nullable: z.boolean().optional().describe('false: every row has a value.'),
        sortable: z.boolean().optional().describe('false: pages cannot be sorted by it.'),
        filter: z.string().optional().describe('Its entry of filterOperators; absent: it cannot be filtered.'),
        values: z.array(z.string()).optional(),
        default: z.string().optional(),
        generated: z.string().optional(),
        comment: z.string().optional(),
        note: z.string().optional(),
      }),
    ),
    filterOperators: z.unknown().meta({ type: 'object' }).optional().describe('The operators of each kind of filter.'),
    key: z.array(z.string()).describe('The columns that name a row, in order; empty: rows have no identity.'),
    foreignKeys: z.array(z.unknown()).optional(),
    referredBy: z.array(z.unknown()).optional(),
    indexes: z.array(z.unknown()).optional(),
    triggers: z.array(z.unknown()).optional(),
    defaultSort: z.array(z.unknown()).optional(),
    comment: z.string().optional(),
    maxSorts: z.number().int().describe('By how many columns a page can be sorted.'),
    notes: z.array(z.string()).optional(),
  }),
  isFor: () => true,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection: named, table, namespace }, context) {
    return context.withConnection(named, { kind: 'describe' }, async ({ manifest, session }) => {
      const description = await findTableArgument(session, table, namespace, context.signal);
      const filters = new Map<string, string[]>();
      const all = description.columns.map((column) => {
        const operators = describedOperators(manifest, column);
        const { filterClass } = column;
        const filter = operators.length === 0 ? undefined : filterClass;
        if (filter !== undefined) filters.set(filter, operators);
        return {
          name: column.name,
          type: column.type,
          ...(column.kind === column.type ? {} : { kind: column.kind }),
          ...(column.nullable ? {} : { nullable: false }),
          ...(column.sortable.allowed ? {} : { sortable: false }),
          ...(filter === undefined ? {} : { filter }),
          ...columnStructure(column),
          ...(columnNote(column) === undefined ? {} : { note: columnNote(column) }),
        };
      });
      const columns = fittingEntries(all);
      const left = all.length - columns.length;
      const references = (description.foreignKeys ?? []).map((key) => keyOf(key, key.references));
      const foreignKeys = fittingEntries(references, FOREIGN_KEY_TOKENS);
      const referring = (description.referredBy ?? []).map((key) => keyOf(key, key.table));
      const referredBy = fittingEntries(referring, REFERRING_KEY_TOKENS);
      const structure = tableStructure(description);
      const notes = [
        ...(foreignKeys.length === references.length
          ? []
          : [`${references.length - foreignKeys.length} more foreign keys were left out.`]),
        ...(referredBy.length === referring.length
          ? []
          : [`${referring.length - referredBy.length} more keys that refer to it were left out.`]),
        ...(left === 0 ? [] : [`${left} more columns were left out. search_schema finds columns by a part of their name.`]),
        ...structure.notes,
        ...description.notes,
        ...(manifest.reading.sortRule === undefined ? [] : [manifest.reading.sortRule]),
      ];
      return {
        name: description.ref.name,
        ...(description.ref.namespace.length === 0 ? {} : { namespace: [...description.ref.namespace] }),
        kind: description.kind,
        columns: [...columns],
        ...(filters.size === 0 ? {} : { filterOperators: Object.fromEntries(filters) }),
        key: [...description.key],
        ...(foreignKeys.length === 0 ? {} : { foreignKeys: [...foreignKeys] }),
        ...(referredBy.length === 0 ? {} : { referredBy: [...referredBy] }),
        ...structure.members,
        maxSorts: manifest.reading.maxSorts,
        ...(notes.length === 0 ? {} : { notes }),
      };
    });
  },
});

/** @param other - the table at the other end of the key */
function keyOf({ columns, referencedColumns }: Pick<ForeignKey, 'columns' | 'referencedColumns'>, { namespace, name }: TableRef) {
  return {
    columns: [...columns],
    table: name,
    ...(namespace.length === 0 ? {} : { namespace: [...namespace] }),
    referencedColumns: [...referencedColumns],
  };
}

/** The filter operators of a column, from the manifest. */
export function describedOperators(manifest: Manifest, { filterClass }: Column): string[] {
  const operators = filterClass === undefined ? [] : (manifest.filtering?.classes[filterClass]?.operators ?? []);
  const allowed = new Set(
    operators.map((entry) => (typeof entry === 'string' ? entry : entry.refused === undefined ? entry.operator : undefined)),
  );
  return FILTER_OPERATORS.filter((operator) => allowed.has(operator));
}
