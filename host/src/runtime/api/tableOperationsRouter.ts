import { planOperationSchema, runOperationSchema, tableOperationsSchema } from '../../common/principals.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** What can be done to a table as a whole. */
export const tableOperationsRouter = router({
  list: procedure
    .input(tableOperationsSchema)
    .query(({ ctx, input, signal }) => ctx.tableOperations.list(input.connectionId, input.table, signal ?? NEVER)),
  plan: procedure
    .input(planOperationSchema)
    .mutation(({ ctx, input, signal }) =>
      ctx.tableOperations.plan(input.connectionId, input.table, input.operation, signal ?? NEVER),
    ),
  run: procedure.input(runOperationSchema).mutation(({ ctx, input, signal }) => ctx.tableOperations.run(input, signal ?? NEVER)),
});
