import type { RowChange } from '@tabularium/sdk';
import { z } from 'zod';
import type { SaveProblem } from '../../common/editing.ts';
import { saveProblemSchema, stagedRowSchema } from '../../common/editing.ts';

// How staged changes are kept. What is read back is checked: a newer host may have written it.

/** The staged content of one row. */
export const rowContentSchema = stagedRowSchema
  .pick({ id: true, kind: true, key: true, cells: true, seen: true, seenWhole: true })
  .extend({
    /** When it was first changed, among the rows of its table. */
    position: z.number().int(),
    /** `TableDescription.identity` when it was first changed; absent where the driver gave none, or an older host staged it. */
    tableIdentity: z.string().optional(),
  });
export type RowContent = z.output<typeof rowContentSchema>;

/** A row before and after one step; null where it was not staged. */
export const stepChangesSchema = z.array(
  z.object({
    rowId: z.string(),
    before: rowContentSchema.nullable(),
    after: rowContentSchema.nullable(),
    /** The step discarded everything: what was staged before it comes back by undo only until the next change. */
    discardsAll: z.boolean().optional(),
  }),
);
export type StepChange = z.output<typeof stepChangesSchema>[number];

/** One step of undo. */
export interface Step {
  readonly number: number;
  readonly undone: boolean;
  readonly changes: readonly StepChange[];
}

/** A newer host has codes that this one doesn't. */
export const storedProblemSchema = saveProblemSchema.extend({ code: saveProblemSchema.shape.code.catch(undefined) });

/** A row as it is staged, and how far its saving is. */
export interface StoredRow {
  readonly content: RowContent;
  readonly problem?: SaveProblem;
  readonly sending: boolean;
}

/** A staged row as a driver takes it. */
export function rowChange({ kind, key, cells, seen }: RowContent): RowChange {
  const assignments = cells.map(({ column, value }) => ({ column, value }));
  if (kind === 'insert') return { kind, values: assignments };
  if (key === undefined) throw new TypeError(`A staged ${kind} has no key.`);
  if (kind === 'delete') return { kind, key, ...(seen === undefined || seen.length === 0 ? {} : { expected: seen }) };
  const expected = cells.flatMap(({ column, original }) => (original === undefined ? [] : [{ column, value: original }]));
  return { kind, key, assignments, ...(expected.length === 0 ? {} : { expected }) };
}
