import { z } from 'zod';
import { answersWith, passesOn, nothing } from './procedureAnswer.ts';
import {
  statementSchema,
  statementClassificationSchema,
  statementParametersSchema,
  completionListSchema,
  consoleContextSchema,
  consolePlacesSchema,
} from '@tabularium/sdk/protocol';
import {
  classifyStatementSchema,
  clearHistorySchema,
  completeTextSchema,
  consoleExamplesSchema,
  consoleSessionIdSchema,
  consoleSessionStateSchema,
  describeStatementSchema,
  endTransactionSchema,
  openConsoleSessionSchema,
  openedConsoleSessionSchema,
  readConsolePlacesSchema,
  sessionStatementSchema,
  historyEntryIdSchema,
  saveRequestSchema,
  savedRequestIdSchema,
  savedRequestsSchema,
  searchHistorySchema,
  splitTextSchema,
  historyEntrySchema,
  savedRequestSchema,
} from '../../common/console.ts';
import { classifyPlanSchema, explainStatementSchema, explanationSchema } from '../../common/explaining.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Statements of a connection; running one travels beside the router (see RUN_PATH). */
export const consoleRouter = router({
  split: procedure
    .input(splitTextSchema)
    .output(passesOn(z.array(statementSchema)))
    .mutation(({ ctx, input, signal }) => ctx.statements.split(input, signal ?? NEVER)),
  classify: procedure
    .input(classifyStatementSchema)
    .output(passesOn(statementClassificationSchema))
    .mutation(({ ctx, input, signal }) => ctx.statements.classify(input, signal ?? NEVER)),
  complete: procedure
    .input(completeTextSchema)
    .output(passesOn(completionListSchema.nullable()))
    .mutation(({ ctx, input, signal }) => ctx.statements.complete(input, signal ?? NEVER)),
  examples: procedure
    .input(consoleExamplesSchema)
    .output(answersWith(z.array(z.string())))
    .query(({ ctx, input, signal }) => ctx.statements.examples(input.connectionId, signal ?? NEVER)),
  places: procedure
    .input(readConsolePlacesSchema)
    .output(passesOn(consolePlacesSchema))
    .query(({ ctx, input, signal }) => ctx.statements.places(input.connectionId, signal ?? NEVER)),
  curl: procedure
    .input(describeStatementSchema)
    .output(answersWith(z.string()))
    .mutation(({ ctx, input, signal }) => ctx.statements.curl(input, signal ?? NEVER)),
  explain: router({
    classify: procedure
      .input(classifyPlanSchema)
      .output(passesOn(statementClassificationSchema))
      .mutation(({ ctx, input, signal }) => ctx.explanations.classify(input, signal ?? NEVER)),
    plan: procedure
      .input(explainStatementSchema)
      .output(passesOn(explanationSchema))
      .mutation(({ ctx, input, signal }) => ctx.explanations.explain(input, signal ?? NEVER)),
  }),
  /** Only a window has sessions: no command and no external client. */
  sessions: router({
    open: procedure
      .input(openConsoleSessionSchema)
      .output(answersWith(openedConsoleSessionSchema))
      .mutation(({ ctx, input, signal }) => ctx.consoleSessions.open(input.connectionId, signal ?? NEVER)),
    parameters: procedure
      .input(sessionStatementSchema)
      .output(passesOn(statementParametersSchema))
      .mutation(({ ctx, input, signal }) => ctx.consoleSessions.parameters(input, signal ?? NEVER)),
    endTransaction: procedure
      .input(endTransactionSchema)
      .output(passesOn(consoleContextSchema))
      .mutation(({ ctx, input, signal }) => ctx.consoleSessions.endTransaction(input, signal ?? NEVER)),
    leave: procedure
      .input(consoleSessionIdSchema)
      .output(answersWith(consoleSessionStateSchema))
      .mutation(({ ctx, input, signal }) => ctx.consoleSessions.leave(input.sessionId, signal ?? NEVER)),
    close: procedure
      .input(consoleSessionIdSchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.consoleSessions.close(input.sessionId)),
  }),
  history: router({
    search: procedure
      .input(searchHistorySchema)
      .output(answersWith(z.array(historyEntrySchema)))
      .query(({ ctx, input: { connectionId, ...input }, signal }) =>
        ctx.statements.history.search(
          { ...input, ...(connectionId === undefined ? {} : { connectionIds: [connectionId] }) },
          signal ?? NEVER,
        ),
      ),
    remove: procedure
      .input(historyEntryIdSchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.statements.history.remove(input.id)),
    clear: procedure
      .input(clearHistorySchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.statements.history.clear(input.connectionId)),
  }),
  saved: router({
    list: procedure
      .input(savedRequestsSchema)
      .output(answersWith(z.array(savedRequestSchema)))
      .query(({ ctx, input }) => ctx.statements.saved.list(input.connectionId)),
    save: procedure
      .input(saveRequestSchema)
      .output(answersWith(savedRequestSchema))
      .mutation(({ ctx, input }) => ctx.statements.saved.save(input)),
    remove: procedure
      .input(savedRequestIdSchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.statements.saved.remove(input.id)),
  }),
});
