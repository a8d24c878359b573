import { searchAnswerSchema, searchFormSchema } from '@tabularium/sdk/protocol';
import { rankedSearchSchema, readSearchFormSchema } from '../../common/searching.ts';
import { passesOn } from './procedureAnswer.ts';
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
});
