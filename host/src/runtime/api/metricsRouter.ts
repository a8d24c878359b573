import { z } from 'zod';
import { passesOn } from './procedureAnswer.ts';
import { metricsInfoSchema, timedReadingSchema } from '../../common/metrics.ts';
import { connectionIdSchema } from '../../common/api.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** A server's metrics. */
export const metricsRouter = router({
  info: procedure
    .input(connectionIdSchema)
    .output(passesOn(metricsInfoSchema))
    .query(({ ctx, input, signal }) => ctx.metrics.info(input.connectionId, signal ?? NEVER)),
  read: procedure
    .input(connectionIdSchema)
    .output(passesOn(timedReadingSchema))
    .query(({ ctx, input, signal }) => ctx.metrics.read(input.connectionId, signal ?? NEVER)),
  /** The readings since the connection was first read, oldest first. */
  history: procedure
    .input(connectionIdSchema)
    .output(passesOn(z.array(timedReadingSchema)))
    .query(({ ctx, input }) => ctx.metrics.history(input.connectionId)),
});
