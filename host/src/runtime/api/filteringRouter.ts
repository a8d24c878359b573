import { passesOn } from './procedureAnswer.ts';
import { suggestionsSchema, readExpressionsSchema } from '@tabularium/sdk/protocol';
import { readExpressionsInputSchema, suggestValuesSchema } from '../../common/filtering.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Help for those who write a filter. Sent as bodies: a filter can be longer than an address. */
export const filteringRouter = router({
  suggest: procedure
    .input(suggestValuesSchema)
    .output(passesOn(suggestionsSchema))
    .mutation(({ ctx, input, signal }) => ctx.filtering.suggest(input, signal ?? NEVER)),
  expressions: procedure
    .input(readExpressionsInputSchema)
    .output(passesOn(readExpressionsSchema))
    .mutation(({ ctx, input, signal }) => ctx.filtering.expressions(input, signal ?? NEVER)),
});
