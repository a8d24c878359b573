import {
  classifyStatementSchema,
  clearHistorySchema,
  completeTextSchema,
  historyEntrySchema,
  saveRequestSchema,
  savedRequestSchema,
  savedRequestsSchema,
  searchHistorySchema,
  splitTextSchema,
} from '../../common/console.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Statements of a connection; running one travels beside the router (see RUN_PATH). */
export const consoleRouter = router({
  split: procedure.input(splitTextSchema).mutation(({ ctx, input, signal }) => ctx.statements.split(input, signal ?? NEVER)),
  classify: procedure
    .input(classifyStatementSchema)
    .mutation(({ ctx, input, signal }) => ctx.statements.classify(input, signal ?? NEVER)),
  complete: procedure
    .input(completeTextSchema)
    .mutation(({ ctx, input, signal }) => ctx.statements.complete(input, signal ?? NEVER)),
  curl: procedure
    .input(classifyStatementSchema)
    .mutation(({ ctx, input, signal }) => ctx.statements.curl(input, signal ?? NEVER)),
  history: router({
    search: procedure.input(searchHistorySchema).query(({ ctx, input }) => ctx.statements.history.search(input)),
    remove: procedure.input(historyEntrySchema).mutation(({ ctx, input }) => ctx.statements.history.remove(input.id)),
    clear: procedure.input(clearHistorySchema).mutation(({ ctx, input }) => ctx.statements.history.clear(input.connectionId)),
  }),
  saved: router({
    list: procedure.input(savedRequestsSchema).query(({ ctx, input }) => ctx.statements.saved.list(input.connectionId)),
    save: procedure.input(saveRequestSchema).mutation(({ ctx, input }) => ctx.statements.saved.save(input)),
    remove: procedure.input(savedRequestSchema).mutation(({ ctx, input }) => ctx.statements.saved.remove(input.id)),
  }),
});
