import { exportRowsSchema, startExportSchema, suggestFileSchema, transferIdSchema } from '../../common/transfer.ts';
import { procedure, router } from './trpc.ts';

/** Exports to files. They go on when the window that started one closes. */
export const exportRouter = router({
  start: procedure.input(startExportSchema).mutation(({ ctx, input }) => ctx.exports.start(input)),
  startRows: procedure.input(exportRowsSchema).mutation(({ ctx, input }) => ctx.exports.startRows(input)),
  suggestFile: procedure.input(suggestFileSchema).query(({ ctx, input }) => ctx.exports.suggestFile(input.table, input.format)),
  list: procedure.query(({ ctx }) => ctx.exports.list()),
  cancel: procedure.input(transferIdSchema).mutation(({ ctx, input }) => ctx.exports.cancel(input.id)),
  reveal: procedure.input(transferIdSchema).mutation(({ ctx, input }) => ctx.exports.reveal(input.id)),
  /** Takes an ended one off the list. */
  clear: procedure.input(transferIdSchema).mutation(({ ctx, input }) => ctx.exports.clear(input.id)),
});
