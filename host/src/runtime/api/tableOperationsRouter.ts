import { z } from 'zod';
import { passesOn } from './procedureAnswer.ts';
import { tableOperationSchema, plannedOperationSchema, operationResultSchema } from '@tabularium/sdk/protocol';
import { planOperationSchema, runOperationSchema, tableOperationsSchema } from '../../common/principals.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Operations on a table as a whole. */
export const tableOperationsRouter = router({
  list: procedure
    .input(tableOperationsSchema)
    .output(passesOn(z.array(tableOperationSchema)))
    .query(({ ctx, input, signal }) => ctx.tableOperations.list(input.connectionId, input.table, signal ?? NEVER)),
  plan: procedure
    .input(planOperationSchema)
    .output(passesOn(plannedOperationSchema))
    .mutation(({ ctx, input, signal }) =>
      ctx.tableOperations.plan(input.connectionId, input.table, input.operation, signal ?? NEVER),
    ),
  run: procedure
    .input(runOperationSchema)
    .output(passesOn(operationResultSchema))
    .mutation(({ ctx, input, signal }) => ctx.tableOperations.run(input, signal ?? NEVER)),
});
