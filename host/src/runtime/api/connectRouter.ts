import { answersWith } from './procedureAnswer.ts';
import {
  connectableClientSchema,
  configurationChangeSchema,
  configurationWrittenSchema,
  bridgeCheckSchema,
} from '../../common/connectClients.ts';
import { z } from 'zod';
import { NEVER, procedure, router } from './trpc.ts';

const id = z.string().min(1).max(40);

/** Requests of the window to connect clients. */
export const connectRouter = router({
  clients: procedure.output(answersWith(z.array(connectableClientSchema))).query(({ ctx }) => ctx.clientConnector.list()),
  plan: procedure
    .input(z.object({ id }))
    .output(answersWith(configurationChangeSchema))
    .query(({ ctx, input }) => ctx.clientConnector.plan(input.id)),
  write: procedure
    .input(z.object({ id, shown: z.string().max(1_000_000) }))
    .output(answersWith(configurationWrittenSchema))
    .mutation(({ ctx, input }) => ctx.clientConnector.write(input.id, input.shown)),
  check: procedure
    .output(answersWith(bridgeCheckSchema))
    .mutation(({ ctx, signal }) => ctx.clientConnector.check(signal ?? NEVER)),
});
