import { z } from 'zod';
import {
  addQueriesSchema,
  createQuerySetSchema,
  exportQuerySetSchema,
  importQuerySetSchema,
  importedQuerySetSchema,
  judgeSchema,
  judgedQuerySchema,
  listQuerySetsSchema,
  querySetIdSchema,
  querySetInfoSchema,
  querySetSchema,
  relevanceRunEventSchema,
  relevanceRunIdSchema,
  relevanceRunInfoSchema,
  relevanceRunSchema,
  removeQuerySchema,
  renameQuerySetSchema,
  saveSearchConfigurationSchema,
  searchConfigurationIdSchema,
  searchConfigurationSchema,
  searchDifferencesEventSchema,
  startRelevanceRunSchema,
  startSearchDifferencesSchema,
  tableOfConnectionSchema,
} from '../../common/relevance.ts';
import { answersWith, nothing, streams } from './procedureAnswer.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Saved ways to search, query sets with their judgments, and the runs that compare ways to search. */
export const relevanceRouter = router({
  configurations: router({
    list: procedure
      .input(tableOfConnectionSchema)
      .output(answersWith(z.array(searchConfigurationSchema)))
      .query(({ ctx, input }) => ctx.searchConfigurations.list(input)),
    save: procedure
      .input(saveSearchConfigurationSchema)
      .output(answersWith(searchConfigurationSchema))
      .mutation(({ ctx, input }) => ctx.searchConfigurations.save(input)),
    remove: procedure
      .input(searchConfigurationIdSchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.searchConfigurations.remove(input.id)),
  }),
  sets: router({
    list: procedure
      .input(listQuerySetsSchema)
      .output(answersWith(z.array(querySetInfoSchema)))
      .query(({ ctx, input }) => ctx.querySets.list(input)),
    get: procedure
      .input(querySetIdSchema)
      .output(answersWith(querySetSchema))
      .query(({ ctx, input }) => ctx.querySets.get(input.id)),
    create: procedure
      .input(createQuerySetSchema)
      .output(answersWith(querySetInfoSchema))
      .mutation(({ ctx, input }) => ctx.querySets.create(input)),
    rename: procedure
      .input(renameQuerySetSchema)
      .output(answersWith(querySetInfoSchema))
      .mutation(({ ctx, input }) => ctx.querySets.rename(input.id, input.name)),
    remove: procedure
      .input(querySetIdSchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.querySets.remove(input.id)),
    addQueries: procedure
      .input(addQueriesSchema)
      .output(answersWith(querySetSchema))
      .mutation(({ ctx, input }) => ctx.querySets.addQueries(input)),
    removeQuery: procedure
      .input(removeQuerySchema)
      .output(answersWith(querySetSchema))
      .mutation(({ ctx, input }) => ctx.querySets.removeQuery(input.id, input.queryId)),
    /** Null: nothing of the query is in the set. */
    judge: procedure
      .input(judgeSchema)
      .output(answersWith(judgedQuerySchema.nullable()))
      .mutation(({ ctx, input }) => ctx.querySets.judge(input) ?? null),
    export: procedure
      .input(exportQuerySetSchema)
      .output(answersWith(z.string()))
      .query(({ ctx, input }) => ctx.querySets.export(input.id, input.format)),
    import: procedure
      .input(importQuerySetSchema)
      .output(answersWith(importedQuerySetSchema))
      .mutation(({ ctx, input }) => ctx.querySets.import(input)),
  }),
  runs: router({
    list: procedure
      .input(querySetIdSchema)
      .output(answersWith(z.array(relevanceRunInfoSchema)))
      .query(({ ctx, input }) => ctx.relevanceRuns.list(input.id)),
    get: procedure
      .input(relevanceRunIdSchema)
      .output(answersWith(relevanceRunSchema))
      .query(({ ctx, input }) => ctx.relevanceRuns.get(input.id)),
    remove: procedure
      .input(relevanceRunIdSchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.relevanceRuns.remove(input.id)),
    start: procedure
      .input(startRelevanceRunSchema)
      .output(streams(relevanceRunEventSchema))
      .mutation(async function* ({ ctx, input, signal }) {
        yield* ctx.relevanceRuns.start(input, signal ?? NEVER);
      }),
  }),
  /** Two ways to search over many queries, without judgments. Nothing is kept. */
  differences: procedure
    .input(startSearchDifferencesSchema)
    .output(streams(searchDifferencesEventSchema))
    .mutation(async function* ({ ctx, input, signal }) {
      yield* ctx.searchDifferences.start(input, signal ?? NEVER);
    }),
});
