import { z } from 'zod';
import { NEVER, procedure, router } from './trpc.ts';

const id = z.string().min(1).max(40);

/** What the window asks to connect clients. */
export const connectRouter = router({
  clients: procedure.query(({ ctx }) => ctx.connectClients.list()),
  plan: procedure.input(z.object({ id })).query(({ ctx, input }) => ctx.connectClients.plan(input.id)),
  write: procedure
    .input(z.object({ id, shown: z.string().max(1_000_000) }))
    .mutation(({ ctx, input }) => ctx.connectClients.write(input.id, input.shown)),
  check: procedure.mutation(({ ctx, signal }) => ctx.connectClients.check(signal ?? NEVER)),
});
