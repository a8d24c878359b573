import { exportRowsSchema, startExportSchema, suggestFileSchema, transferIdSchema } from '../../common/transfer.ts';
import { procedure, router } from './trpc.ts';

/** Exports to files. They go on when the window that started one closes. */
export const exportRouter = router({
  start: procedure.input(startExportSchema).mutation(({ ctx, input }) => ctx.transfers.start(input)),
  startRows: procedure.input(exportRowsSchema).mutation(({ ctx, input }) => ctx.transfers.startRows(input)),
  suggestFile: procedure.input(suggestFileSchema).query(({ ctx, input }) => ctx.transfers.suggestFile(input.table, input.format)),
  list: procedure.query(({ ctx }) => ctx.transfers.list()),
  cancel: procedure.input(transferIdSchema).mutation(({ ctx, input }) => ctx.transfers.cancel(input.id)),
  reveal: procedure.input(transferIdSchema).mutation(({ ctx, input }) => ctx.transfers.reveal(input.id)),
  /** Takes an ended one off the list. */
  clear: procedure.input(transferIdSchema).mutation(({ ctx, input }) => ctx.transfers.clear(input.id)),
});
