import { exportRowsSchema, startExportSchema, suggestFileSchema, transferIdSchema } from '../../common/transfer.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Exports to files. They go on when the window that started one closes. */
export const exportRouter = router({
  start: procedure.input(startExportSchema).mutation(({ ctx, input }) => ctx.exports.start(input)),
  startRows: procedure.input(exportRowsSchema).mutation(({ ctx, input }) => ctx.exports.startRows(input)),
  suggestFile: procedure.input(suggestFileSchema).query(({ ctx, input }) => ctx.exports.suggestFile(input.table, input.format)),
  list: procedure.query(({ ctx }) => ctx.exports.list()),
  /** The whole list at once, and again whenever it changed, a few times a second at most. */
  watch: procedure.mutation(async function* ({ ctx, signal }) {
    yield* ctx.exports.watch(signal ?? NEVER);
  }),
  cancel: procedure.input(transferIdSchema).mutation(({ ctx, input }) => ctx.exports.cancel(input.id)),
  /** Takes an ended one off the list. */
  clear: procedure.input(transferIdSchema).mutation(({ ctx, input }) => ctx.exports.clear(input.id)),
});
