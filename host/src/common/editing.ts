import {
  cellSchema,
  driverTextsSchema,
  errorDetailsSchema,
  preparedChangeSchema,
  rowKeySchema,
  tableRefSchema,
} from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { errorReportSchema } from './errorReport.ts';
import { hostSentenceSchema, textOriginSchema } from './hostSentences.ts';
import type { Shape } from './shape.ts';

// Staged changes: what a person has changed in a table and not saved yet. The host keeps them, so that they outlive window, driver and host.

/** At most this many rows of one table are staged at a time: as many as travel to a driver in one call. */
export const MOST_STAGED_ROWS = 10_000;

const column = z.string().max(1_000);
const rowId = z.string().min(1).max(1_000_000);

export const editedTableSchema = z.object({ connectionId: z.uuid(), table: tableRefSchema });

/** An existing row by its key, or one that is staged for insertion by its id. */
export const editedRowSchema = z.union([z.object({ key: rowKeySchema }), z.object({ inserted: rowId })]);
export type EditedRow = z.output<typeof editedRowSchema>;

const seenCells = z.array(z.object({ column, value: cellSchema })).max(10_000);

/** One edit. An edit of a row that is staged already is merged with what is staged. */
export const editSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('insert'), values: z.array(z.object({ column, value: cellSchema })).max(10_000) }),
  z.object({
    kind: z.literal('update'),
    row: editedRowSchema,
    cells: z
      .array(
        z.object({
          column,
          value: cellSchema,
          /**
           * The cell as the page showed it; where the new value equals it, nothing is staged. Needed for a cell of an existing row that is not staged: a
           * save compares it with what the cell holds then.
           */
          original: cellSchema.optional(),
        }),
      )
      .min(1)
      .max(10_000),
    /** The row as the person saw it, as far as it was read: what a row that somebody deletes meanwhile is inserted again with. */
    seen: seenCells.optional(),
  }),
  z.object({
    kind: z.literal('delete'),
    row: editedRowSchema,
    /** The row as the person saw it: before it is deleted, it is compared with what it holds then. */
    seen: seenCells.optional(),
    /** `seen` has every column that the table had: a value in another one was added since. */
    seenWhole: z.boolean().optional(),
  }),
]);
export type Edit = z.output<typeof editSchema>;

/** All edits of one call are one step of undo. */
export const stageSchema = editedTableSchema.extend({ edits: z.array(editSchema).min(1).max(MOST_STAGED_ROWS) });
/** Rows by {@link StagedRow.id}; left out: all of the table, when saving without those whose fate is unknown. */
export const stagedRowsSchema = editedTableSchema.extend({ rowIds: z.array(rowId).min(1).max(MOST_STAGED_ROWS).optional() });
export const editedTablesSchema = z.object({ connectionId: z.uuid().optional() });

export const stagedCellSchema = z.object({
  column: z.string(),
  value: cellSchema,
  /** The cell before; absent in a row that is inserted, and where the window did not know it. */
  original: cellSchema.optional(),
});
export type StagedCell = Shape<typeof stagedCellSchema>;

/** How a row differs from what the person saw when its change was staged. */
export const meanwhileSchema = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('changed'),
    cells: z
      .array(
        z.object({
          column,
          was: cellSchema,
          /** Absent where the row is to be deleted. */
          yours: cellSchema.optional(),
          now: cellSchema,
        }),
      )
      .max(10_000),
  }),
  z.object({ is: z.literal('deleted') }),
  /** The name stands for another table now: both as `TableDescription.identity` says them. */
  z.object({ is: z.literal('elsewhere'), was: z.string(), now: z.string() }),
]);
export type Meanwhile = Shape<typeof meanwhileSchema>;

/** Why a row that was sent is still staged, or why it was not sent. */
export const saveProblemSchema = z.object({
  /** `unknown`: it was sent, and whether it was made is not known. Look at the row before it is sent again. */
  outcome: z.enum(['failed', 'unknown']),
  message: z.string(),
  /** The message as a window of another language finds it, where it is the host's own. */
  sentence: hostSentenceSchema.optional(),
  code: errorReportSchema.shape.code.optional(),
  /** The column at fault, so that its cell can be marked. */
  column: z.string().optional(),
  details: errorDetailsSchema.optional(),
  /** The error after which the outcome is not known: the message begins with it. */
  cause: errorReportSchema.pick({ code: true, message: true, sentence: true, details: true }).optional(),
  /** Somebody else changed the row since: it is sent only after a person has decided, see {@link settleSchema}. */
  meanwhile: meanwhileSchema.optional(),
});
export type SaveProblem = Shape<typeof saveProblemSchema>;

/** One row with changes. */
export const stagedRowSchema = z.object({
  /** For an existing row the text of its key (`rowKeyText`), so that a page's rows can be looked up by it; for an inserted one an id of its own. */
  id: z.string(),
  kind: z.enum(['insert', 'update', 'delete']),
  /** Absent for an inserted row. */
  key: rowKeySchema.optional(),
  /** In the order in which they were first changed; empty for a row to be deleted. */
  cells: z.array(stagedCellSchema),
  /** The row as the person saw it; of a row to be deleted, or whose edit said it. */
  seen: seenCells.optional(),
  /** Of a row to be deleted: `seen` has every column that the table had. */
  seenWhole: z.boolean().optional(),
  problem: saveProblemSchema.optional(),
  /** It is being sent right now. */
  sending: z.boolean(),
});
export type StagedRow = Shape<typeof stagedRowSchema>;

/** Counts of the staged changes of one table. */
export const editStateSchema = z.object({
  /** Grows with every change of what is staged. */
  revision: z.number(),
  inserts: z.number(),
  updates: z.number(),
  deletes: z.number(),
  failed: z.number(),
  unknown: z.number(),
  /** Rows that somebody else changed since. They don't count as failed. */
  meanwhile: z.number(),
  canUndo: z.boolean(),
  canRedo: z.boolean(),
  /** How many were saved since the host began. A window that did not save them itself shows rows as they were before. */
  savedRows: z.number(),
  /** While changes are being sent nothing can be staged, undone or discarded. */
  saving: z.boolean(),
});
export type EditState = Shape<typeof editStateSchema>;

/** Whether the rows of a table can be edited, and why not. */
export const editAbilitySchema = z.discriminatedUnion('allowed', [
  z.object({
    allowed: z.literal(true),
    key: z.array(z.string()),
    /** `all`: a save makes all changes or none. */
    atomicity: z.enum(['all', 'each']),
  }),
  z.object({ allowed: z.literal(false), reason: z.string(), origin: textOriginSchema.optional() }),
]);
export type EditAbility = Shape<typeof editAbilitySchema>;

/** Everything that is staged for one table. */
export const stagedTableSchema = z.object({
  state: editStateSchema,
  /** In the order in which they were first changed, which is the order in which they are saved. */
  rows: z.array(stagedRowSchema),
});
export type StagedTable = Shape<typeof stagedTableSchema>;

/** The staged rows that one call, or a save in another window, changed. */
export const stageChangeSchema = z.object({
  state: editStateSchema,
  /** Rows as they are staged now. */
  rows: z.array(stagedRowSchema),
  /** Ids of rows that are no longer staged. */
  gone: z.array(z.string()),
});
export type StageChange = Shape<typeof stageChangeSchema>;

/** The events of watching a table's staged changes: all of them first, then every change. */
export const stageEventSchema = z.discriminatedUnion('type', [
  stagedTableSchema.extend({ type: z.literal('all') }),
  stageChangeSchema.extend({ type: z.literal('change') }),
]);
export type StageEvent = Shape<typeof stageEventSchema>;

/** A table with staged changes. */
export const tableWithEditsSchema = z.object({
  connectionId: z.string(),
  table: tableRefSchema,
  state: editStateSchema,
});
export type EditedTable = Shape<typeof tableWithEditsSchema>;

/** Why a column of a change can't be saved. */
export const changeFaultSchema = z.object({
  message: z.string(),
  /** The driver's message in other languages. */
  texts: driverTextsSchema.optional(),
  column: z.string().optional(),
});
export type ChangeFault = Shape<typeof changeFaultSchema>;

/** One line of the review. */
export const reviewedChangeSchema = z.object({
  rowId: z.string(),
  kind: stagedRowSchema.shape.kind,
  key: rowKeySchema.optional(),
  /** The new values beside the old ones. */
  cells: z.array(stagedCellSchema),
  /** Whether the row was compared with what it holds now. `later`: a save compares it, a review of so many rows does not. */
  compared: z.enum(['yes', 'later', 'unsupported', 'notNeeded']),
  /** The text to send, or why it can't be sent. */
  prepared: preparedChangeSchema,
  /** The columns at fault beside that of `prepared`, so that a person corrects all of them at once. */
  more: z.array(changeFaultSchema).max(100).optional(),
});
export type ReviewedChange = Shape<typeof reviewedChangeSchema>;

/**
 * Decides about rows that somebody else changed. `mine`: what the person has been shown counts as seen, so that a save overwrites it; a row that was
 * deleted becomes a new one. `theirs`: what they changed stays theirs, and the rest of the row stays staged.
 */
export const settleSchema = editedTableSchema.extend({
  rows: z
    .array(
      z.object({
        rowId,
        choice: z.enum(['mine', 'theirs']),
        /** As the person was shown it; refused where it is something else by now. */
        shown: meanwhileSchema,
      }),
    )
    .min(1)
    .max(MOST_STAGED_ROWS),
});
export type Settlement = Shape<typeof settleSchema>['rows'][number];

/** The events of a save, in order: `begin`, an `outcome` for each row that was sent, `end`. */
export const saveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), rows: z.number() }),
  z.object({
    type: z.literal('outcome'),
    rowId: z.string(),
    kind: stagedRowSchema.shape.kind,
    outcome: z.enum(['saved', ...saveProblemSchema.shape.outcome.options]),
    /** The saved row's key now; absent for a deleted row. */
    key: rowKeySchema.optional(),
    problem: saveProblemSchema.optional(),
  }),
  z.object({
    type: z.literal('end'),
    saved: z.number(),
    failed: z.number(),
    unknown: z.number(),
    /** Still staged as they were. */
    notTried: z.number(),
    /** The error that ended the save early. */
    error: errorReportSchema.optional(),
  }),
]);
export type SaveEvent = Shape<typeof saveEventSchema>;
