import { endOutcomeSchema, slowStatementsSchema } from '@tabularium/sdk/protocol';
import { connectionIdSchema } from '../../common/api.ts';
import { endEntrySchema, serverActivitySchema } from '../../common/serverActivity.ts';
import { passesOn } from './procedureAnswer.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Sessions and statements at a server. */
export const activityRouter = router({
  list: procedure
    .input(connectionIdSchema)
    .output(passesOn(serverActivitySchema))
    .query(({ ctx, input, signal }) => ctx.activities.list(input.connectionId, signal ?? NEVER)),
  slow: procedure
    .input(connectionIdSchema)
    .output(passesOn(slowStatementsSchema))
    .query(({ ctx, input, signal }) => ctx.activities.slow(input.connectionId, signal ?? NEVER)),
  end: procedure
    .input(endEntrySchema)
    .output(passesOn(endOutcomeSchema))
    .mutation(({ ctx, input, signal }) => ctx.activities.end(input.connectionId, input.request, signal ?? NEVER)),
});
