import { cellSchema, tableRefSchema } from '@tabularium/sdk/protocol';
import type { Cell, DriverErrorDetails, PreparedChange, RowKey, TableRef } from '@tabularium/sdk';
import { z } from 'zod';
import type { ErrorReport } from './errors.ts';

// Staged changes: what a person has changed in a table and not saved yet. The host keeps them, so that they outlive window, driver and host.

/** At most this many rows of one table are staged at a time: as many as travel to a driver in one call. */
export const MOST_STAGED_ROWS = 10_000;

export const rowKeySchema = z.array(cellSchema).min(1).max(64);
const column = z.string().max(1_000);
const rowId = z.string().min(1).max(1_000_000);

export const editedTableSchema = z.object({ connectionId: z.uuid(), table: tableRefSchema });

/** An existing row by its key, or one that is staged for insertion by its id. */
export const editedRowSchema = z.union([z.object({ key: rowKeySchema }), z.object({ inserted: rowId })]);
export type EditedRow = z.output<typeof editedRowSchema>;

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
          /** The cell as the page showed it; where the new value equals it, nothing is staged. Not needed for an inserted row. */
          original: cellSchema.optional(),
        }),
      )
      .min(1)
      .max(10_000),
  }),
  z.object({ kind: z.literal('delete'), row: editedRowSchema }),
]);
export type Edit = z.output<typeof editSchema>;

/** All edits of one call are one step of undo. */
export const stageSchema = editedTableSchema.extend({ edits: z.array(editSchema).min(1).max(MOST_STAGED_ROWS) });
/** Rows by {@link StagedRow.id}; left out: all of the table, when saving without those whose fate is unknown. */
export const stagedRowsSchema = editedTableSchema.extend({ rowIds: z.array(rowId).min(1).max(MOST_STAGED_ROWS).optional() });
export const editedTablesSchema = z.object({ connectionId: z.uuid().optional() });

export interface StagedCell {
  readonly column: string;
  readonly value: Cell;
  /** The cell before; absent in a row that is inserted, and where the window did not know it. */
  readonly original?: Cell;
}

/** Why a row that was sent is still staged. */
export interface SaveProblem {
  /** `unknown`: it was sent, and whether it was made is not known. Look at the row before it is sent again. */
  readonly outcome: 'failed' | 'unknown';
  readonly message: string;
  readonly code?: ErrorReport['code'];
  /** The column at fault, so that its cell can be marked. */
  readonly column?: string;
  readonly details?: DriverErrorDetails;
}

/** One row with changes. */
export interface StagedRow {
  /** For an existing row the text of its key (`rowKeyText`), so that a page's rows can be looked up by it; for an inserted one an id of its own. */
  readonly id: string;
  readonly kind: 'insert' | 'update' | 'delete';
  /** Absent for an inserted row. */
  readonly key?: RowKey;
  /** In the order in which they were first changed; empty for a row to be deleted. */
  readonly cells: readonly StagedCell[];
  readonly problem?: SaveProblem;
  /** It is being sent right now. */
  readonly sending: boolean;
}

/** What is staged for one table, in numbers. */
export interface EditState {
  /** Grows with every change of what is staged. */
  readonly revision: number;
  readonly inserts: number;
  readonly updates: number;
  readonly deletes: number;
  readonly failed: number;
  readonly unknown: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** While changes are being sent nothing can be staged, undone or discarded. */
  readonly saving: boolean;
}

/** Whether the rows of a table can be edited, and why not. */
export type EditAbility =
  | {
      readonly allowed: true;
      readonly key: readonly string[];
      /** `all`: a save makes all changes or none. */
      readonly atomicity: 'all' | 'each';
    }
  | { readonly allowed: false; readonly reason: string };

/** Everything that is staged for one table. */
export interface StagedTable {
  readonly state: EditState;
  /** In the order in which they were first changed, which is the order in which they are saved. */
  readonly rows: readonly StagedRow[];
}

/** What one call, or a save in another window, changed of what is staged. */
export interface StageChange {
  readonly state: EditState;
  /** Rows as they are staged now. */
  readonly rows: readonly StagedRow[];
  /** Ids of rows that are no longer staged. */
  readonly gone: readonly string[];
}

/** What watching a table's staged changes tells: all of them first, then every change. */
export type StageEvent = ({ readonly type: 'all' } & StagedTable) | ({ readonly type: 'change' } & StageChange);

/** A table with staged changes. */
export interface EditedTable {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly state: EditState;
}

/** One line of the review sheet. */
export interface ReviewedChange {
  readonly rowId: string;
  readonly kind: StagedRow['kind'];
  readonly key?: RowKey;
  /** What will be sent, or why it cannot be. */
  readonly prepared: PreparedChange;
}

/** What a save tells, in order: `begin`, an `outcome` for each row that was sent, `end`. */
export type SaveEvent =
  | { readonly type: 'begin'; readonly rows: number }
  | {
      readonly type: 'outcome';
      readonly rowId: string;
      readonly kind: StagedRow['kind'];
      readonly outcome: 'saved' | SaveProblem['outcome'];
      /** The saved row's key now; absent for a deleted row. */
      readonly key?: RowKey;
      readonly problem?: SaveProblem;
    }
  | {
      readonly type: 'end';
      readonly saved: number;
      readonly failed: number;
      readonly unknown: number;
      /** Still staged as they were. */
      readonly notTried: number;
      /** What ended the save early. */
      readonly error?: ErrorReport;
    };
