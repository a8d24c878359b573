import { recordedQueriesSchema, searchAnswerSchema, searchFormSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { connectionIdSchema } from '../../common/api.ts';
import { rankedSearchSchema, readRecordedQueriesSchema, readSearchFormSchema } from '../../common/searching.ts';
import { answersWith, passesOn } from './procedureAnswer.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Ranked search. Sent as bodies: a filter can be longer than an address. */
export const searchRouter = router({
  form: procedure
    .input(readSearchFormSchema)
    .output(passesOn(searchFormSchema))
    .mutation(({ ctx, input, signal }) => ctx.searching.form(input, signal ?? NEVER)),
  search: procedure
    .input(rankedSearchSchema)
    .output(passesOn(searchAnswerSchema))
    .mutation(({ ctx, input, signal }) => ctx.searching.search(input, signal ?? NEVER)),
  recordsQueries: procedure
    .input(connectionIdSchema)
    .output(answersWith(z.boolean()))
    .query(({ ctx, input, signal }) => ctx.searching.recordsQueries(input.connectionId, signal ?? NEVER)),
  recordedQueries: procedure
    .input(readRecordedQueriesSchema)
    .output(passesOn(recordedQueriesSchema))
    .query(({ ctx, input, signal }) => ctx.searching.recordedQueries(input, signal ?? NEVER)),
});
