import type { Assignment, Cell, Column, RowChange, TableDescription, TableRef } from '@tabularium/sdk';
import { z } from 'zod';
import type { ChangeFault } from '../../../common/editing.ts';
import { everyFault } from '../../editing/everyFault.ts';
import { wasNotSent } from '../../editing/wasNotSent.ts';
import type { AccessAction } from '../access/policy.ts';
import { connectionArgument } from './connectionArgument.ts';
import { namedValues } from './namedValues.ts';
import { didYouMean, namesInShort } from './nearestName.ts';
import { timeoutArgument } from './resultRows.ts';
import { sendableValue } from './sendableValue.ts';
import { findTableArgument, tableArguments, tableArgumentName } from './tableArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';
import type { Tool, ToolContext } from './tool.ts';
import { writtenCell } from './writtenCell.ts';

/** Rows that one call changes at most. */
export const MOST_CHANGED_ROWS = 1_000;

/** Rows whose faults a refusal names. */
const MOST_REFUSED_ROWS = 5;

const output = z.object({
  changed: z.number().int().describe('How many rows were changed.'),
  failed: z
    .array(
      z.object({
        row: z.number().int().describe('Which of the rows that were given, from 0.'),
        outcome: z.enum(['failed', 'unknown', 'notTried']).describe('unknown: the answer was lost; it may have been made.'),
        code: z.string().optional(),
        message: z.string(),
        column: z.string().optional(),
      }),
    )
    .optional(),
  keys: z
    .array(z.unknown().meta({ type: 'object' }))
    .optional()
    .describe('The keys of the rows now, where the database says them.'),
  notes: z.array(z.string()).optional(),
});
type Output = z.input<typeof output>;

const common = { connection: connectionArgument, ...tableArguments };
const rowCount = <T extends z.ZodType>(row: T) => z.array(row).min(1).max(MOST_CHANGED_ROWS);

const insertRows = defineTool({
  name: 'insert_rows',
  title: 'Insert rows',
  description: 'Adds rows. A person may have to approve it.',
  input: z.strictObject({
    ...common,
    rows: rowCount(namedValues).describe('Values by column name, as browse_table gives them.'),
    timeoutSeconds: timeoutArgument,
  }),
  output,
  isFor: ({ write }) => write,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  run: (args, context) =>
    changeRows(args, 'insert', { kind: 'run', effect: 'write' }, context, (table) =>
      args.rows.map((row) => ({ kind: 'insert', values: assignments(row, table) })),
    ),
});

const updateRows = defineTool({
  name: 'update_rows',
  title: 'Update rows',
  description: 'Changes values of rows named by their key. A person may have to approve it.',
  input: z.strictObject({
    ...common,
    rows: rowCount(z.strictObject({ key: namedValues, values: namedValues })),
    timeoutSeconds: timeoutArgument,
  }),
  output,
  isFor: ({ write }) => write,
  // The previous values of a row are lost.
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  run: (args, context) =>
    changeRows(args, 'update', { kind: 'run', effect: 'write' }, context, (table) =>
      args.rows.map((row) => ({ kind: 'update', key: keyOf(row.key, table), assignments: assignments(row.values, table) })),
    ),
});

const deleteRows = defineTool({
  name: 'delete_rows',
  title: 'Delete rows',
  description: "Deletes rows named by their key. Needs, unless the owner said otherwise, a person's approval.",
  input: z.strictObject({
    ...common,
    keys: rowCount(namedValues),
    timeoutSeconds: timeoutArgument,
  }),
  output,
  isFor: ({ destroy }) => destroy,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  run: (args, context) =>
    changeRows(args, 'delete', { kind: 'confirmDestructive' }, context, (table) =>
      args.keys.map((key) => ({ kind: 'delete', key: keyOf(key, table) })),
    ),
});

export const ROW_TOOLS: readonly Tool[] = [insertRows, updateRows, deleteRows];

interface Plan {
  readonly table: TableRef;
  readonly changes: readonly RowChange[];
  readonly key: readonly Column[];
}

function changeRows(
  args: { connection: string; table: string; namespace?: string[] | undefined; timeoutSeconds: number },
  verb: 'insert' | 'update' | 'delete',
  action: AccessAction,
  context: ToolContext,
  changesFor: (table: TableDescription) => readonly RowChange[],
): Promise<Output> {
  context.timeLimit(args.timeoutSeconds);
  return context.change<Plan, Output>(args.connection, {
    known: action,
    prepare: async ({ session, manifest }) => {
      const edits = session.edits;
      if (edits === undefined) {
        throw new ToolFailure(
          'UNSUPPORTED',
          'Rows of this database cannot be changed one by one.',
          'Use execute_query with a statement.',
        );
      }
      const description = await findTableArgument(session, args.table, args.namespace, context.signal);
      const changes = changesFor(description);
      const whole = await everyFault(edits, description.ref, changes, context.signal);
      const refused = whole.flatMap(({ change, more }, index) => (change.ready ? [] : [{ index, faults: [change, ...more] }]));
      if (refused.length > 0) throw notReady(refused, description);
      const prepared = whole.map(({ change }) => change);
      const word = changes.length === 1 ? manifest.terms.row.one : manifest.terms.row.other;
      // A change that loses more than it names, such as through a trigger, goes the way of delete_rows.
      const loses = prepared.some((change) => change.ready && change.effect === 'destructive');
      return {
        action: loses ? { kind: 'confirmDestructive' } : action,
        summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} ${changes.length} ${word.toLowerCase()} of ${tableArgumentName(description.ref)}`,
        text: prepared.flatMap((change) => (change.ready ? [change.text] : [])).join('\n\n'),
        plan: {
          table: description.ref,
          changes,
          key: description.key.flatMap((name) => description.columns.filter((column) => column.name === name)),
        },
      };
    },
    run: async ({ session }, { table, changes, key }) => {
      const outcomes = new Set<number>();
      const failed: NonNullable<Output['failed']> = [];
      const keys: Record<string, unknown>[] = [];
      const notes: string[] = [];
      let changed = 0;
      let rest: Pick<NonNullable<Output['failed']>[number], 'outcome' | 'message'> = {
        outcome: 'notTried',
        message: 'It was not tried any more.',
      };
      try {
        for await (const outcome of session.edits?.apply(table, changes, { signal: context.signal }) ?? []) {
          outcomes.add(outcome.index);
          if (outcome.outcome === 'saved') {
            changed += 1;
            if (outcome.key !== undefined && verb !== 'delete') keys.push(keyObject(key, outcome.key));
          } else {
            failed.push({
              row: outcome.index,
              outcome: outcome.outcome,
              message: context.errorText(outcome.message),
              ...('code' in outcome ? { code: outcome.code } : {}),
              ...('column' in outcome && outcome.column !== undefined ? { column: outcome.column } : {}),
            });
          }
          context.progress(outcomes.size, changes.length);
        }
      } catch (error) {
        // Which rows were changed must not get lost with the call: sent again, they would be there twice.
        if (outcomes.size === 0 || context.isCut()) throw error;
        const reason = context.failure(error);
        notes.push(`It ended early: ${reason}`);
        if (!wasNotSent(error)) rest = { outcome: 'unknown', message: 'The answer was lost; it may have been made.' };
      }
      for (const index of changes.keys()) if (!outcomes.has(index)) failed.push({ row: index, ...rest });
      // A model may read no more than whether it failed.
      const refused = failed.find(({ outcome }) => outcome === 'failed');
      if (changed === 0 && refused !== undefined) context.failed(refused.code ?? 'SERVER_ERROR');
      if (failed.some(({ outcome }) => outcome === 'unknown'))
        notes.push('Look at the rows whose outcome is unknown before you try again.');
      return {
        changed,
        ...(failed.length === 0 ? {} : { failed }),
        ...(keys.length === 0 ? {} : { keys }),
        ...(notes.length === 0 ? {} : { notes }),
      };
    },
  });
}

interface RefusedRow {
  readonly index: number;
  readonly faults: readonly ChangeFault[];
}

/** Rows that the driver refuses, with all of their faults; for a column that the table does not have, with the names that it has. */
function notReady(rows: readonly RefusedRow[], { columns }: TableDescription): ToolFailure {
  const names = columns.map(({ name }) => name);
  const faults = rows.flatMap((row) => row.faults);
  const unknown = faults.find(({ column }) => column !== undefined && !names.includes(column))?.column;
  const near = unknown === undefined ? '' : `${didYouMean(unknown, names)} The columns are: ${namesInShort(names, 250)}.`;
  const shown = rows
    .slice(0, MOST_REFUSED_ROWS)
    .map((row) => `Row ${row.index} cannot be sent: ${row.faults.map(faultText).join(' ')}`);
  const others = rows.length - shown.length;
  return new ToolFailure(
    'INVALID_INPUT',
    [...shown, ...(others === 0 ? [] : [`${others} more cannot be sent.`])].join(' '),
    `${near} Nothing was changed. Correct the ${rows.length === 1 ? 'row' : 'rows'}.`.trim(),
  );
}

function faultText({ message, column }: ChangeFault): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return column === undefined || message.includes(column) ? sentence : `${sentence} The column is "${column}".`;
}

function assignments(row: Readonly<Record<string, unknown>>, table: TableDescription): Assignment[] {
  return Object.entries(row).map(([name, value]) => {
    const column = table.columns.find((candidate) => candidate.name === name);
    // Some databases learn a field from the first row that has it; the driver says whether this one does.
    return { column: name, value: writtenCell(name, value, column?.kind) };
  });
}

function keyOf(values: Readonly<Record<string, unknown>>, table: TableDescription): Cell[] {
  if (table.key.length === 0) {
    throw new ToolFailure('UNSUPPORTED', 'The rows of this table have no key.', 'They can be read, and added, but not named.');
  }
  const unknown = Object.keys(values).find((name) => !table.key.includes(name));
  const missing = table.key.find((name) => !Object.hasOwn(values, name));
  if (unknown !== undefined || missing !== undefined) {
    throw new ToolFailure('INVALID_INPUT', `The key of this table is ${table.key.join(', ')}.`, 'Give exactly these values.');
  }
  return table.key.map((name) => writtenCell(name, values[name], table.columns.find((column) => column.name === name)?.kind));
}

function keyObject(columns: readonly Column[], key: readonly Cell[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.map(({ name, kind }, index) => [
      name,
      sendableValue(key[index] ?? null, kind, { values: 0, longest: 0, limit: 10_000 }, true),
    ]),
  );
}
