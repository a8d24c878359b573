import { z } from 'zod';
import { answersWith, passesOn, streamsOn } from './procedureAnswer.ts';
import {
  editedTableSchema,
  editedTablesSchema,
  stageSchema,
  settleSchema,
  stagedRowsSchema,
  editAbilitySchema,
  editStateSchema,
  tableWithEditsSchema,
  stagedTableSchema,
  stageChangeSchema,
  reviewedChangeSchema,
  saveEventSchema,
} from '../../common/editing.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Staged changes of tables. Streams are mutations, as everywhere: their answer is read once. */
export const editingRouter = router({
  ability: procedure
    .input(editedTableSchema)
    .output(answersWith(editAbilitySchema))
    .query(({ ctx, input, signal }) => ctx.editing.ability(input.connectionId, input.table, signal ?? NEVER)),
  tables: procedure
    .input(editedTablesSchema)
    .output(answersWith(z.array(tableWithEditsSchema)))
    .query(({ ctx, input }) => ctx.editing.tables(input.connectionId)),
  staged: procedure
    .input(editedTableSchema)
    .output(passesOn(stagedTableSchema))
    .query(({ ctx, input }) => ctx.editing.staged(input.connectionId, input.table)),
  stage: procedure
    .input(stageSchema)
    .output(passesOn(stageChangeSchema))
    .mutation(({ ctx, input, signal }) => ctx.editing.stage(input.connectionId, input.table, input.edits, signal ?? NEVER)),
  undo: procedure
    .input(editedTableSchema)
    .output(passesOn(stageChangeSchema))
    .mutation(({ ctx, input }) => ctx.editing.undo(input.connectionId, input.table)),
  redo: procedure
    .input(editedTableSchema)
    .output(passesOn(stageChangeSchema))
    .mutation(({ ctx, input }) => ctx.editing.redo(input.connectionId, input.table)),
  discard: procedure
    .input(stagedRowsSchema)
    .output(passesOn(stageChangeSchema))
    .mutation(({ ctx, input }) => ctx.editing.discard(input.connectionId, input.table, input.rowIds)),
  settle: procedure
    .input(settleSchema)
    .output(passesOn(stageChangeSchema))
    .mutation(({ ctx, input, signal }) => ctx.editing.settle(input.connectionId, input.table, input.rows, signal ?? NEVER)),
  review: procedure
    .input(stagedRowsSchema)
    .output(passesOn(z.array(reviewedChangeSchema)))
    .mutation(({ ctx, input, signal }) => ctx.editing.review(input.connectionId, input.table, input.rowIds, signal ?? NEVER)),
  save: procedure
    .input(stagedRowsSchema)
    .output(streamsOn(saveEventSchema))
    .mutation(async function* ({ ctx, input, signal }) {
      yield* ctx.editing.save(input.connectionId, input.table, input.rowIds, signal ?? NEVER);
    }),
  /** Ends a save whose stream is still read: it says what was saved. */
  cancelSave: procedure
    .input(editedTableSchema)
    .output(answersWith(editStateSchema))
    .mutation(({ ctx, input }) => ctx.editing.cancelSave(input.connectionId, input.table)),
});
