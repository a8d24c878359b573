import { z } from 'zod';
import { answersWith, nothing } from './procedureAnswer.ts';
import {
  decideTransferSchema,
  exportRowsSchema,
  startExportSchema,
  suggestFileSchema,
  transferIdSchema,
  transferInfoSchema,
} from '../../common/transfer.ts';
import { procedure, router } from './trpc.ts';

/** Exports to files. They continue when the window that started one closes. */
export const exportRouter = router({
  start: procedure
    .input(startExportSchema)
    .output(answersWith(transferInfoSchema))
    .mutation(({ ctx, input }) => ctx.transfers.start(input)),
  startRows: procedure
    .input(exportRowsSchema)
    .output(answersWith(transferInfoSchema))
    .mutation(({ ctx, input }) => ctx.transfers.startRows(input)),
  suggestFile: procedure
    .input(suggestFileSchema)
    .output(answersWith(z.string()))
    .query(({ ctx, input }) => ctx.transfers.suggestFile(input.table, input.format)),
  list: procedure.output(answersWith(z.array(transferInfoSchema))).query(({ ctx }) => ctx.transfers.list()),
  cancel: procedure
    .input(transferIdSchema)
    .output(answersWith(transferInfoSchema))
    .mutation(({ ctx, input }) => ctx.transfers.cancel(input.id)),
  /** Keeps or deletes the file of an undecided one. */
  decide: procedure
    .input(decideTransferSchema)
    .output(answersWith(transferInfoSchema))
    .mutation(({ ctx, input }) => ctx.transfers.decide(input.id, input.decision)),
  reveal: procedure
    .input(transferIdSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.transfers.reveal(input.id)),
  /** Takes an ended one off the list. */
  clear: procedure
    .input(transferIdSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.transfers.clear(input.id)),
});
