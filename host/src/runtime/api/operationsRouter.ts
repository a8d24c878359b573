import { z } from 'zod';
import {
  listOperationsSchema,
  operationCallSchema,
  operationFormOfSchema,
  operationFormSchema,
  operationPlanSchema,
  operationRunIdSchema,
  operationRunSchema,
  operationSchema,
  planOperationCallSchema,
  startOperationSchema,
} from '../../common/operations.ts';
import { answersWith, nothing, passesOn, streams } from './procedureAnswer.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Operations on servers, namespaces and tables as a whole. An input is sent as a body: it can be longer than an address. */
export const operationsRouter = router({
  list: procedure
    .input(listOperationsSchema)
    .output(passesOn(z.array(operationSchema)))
    .query(({ ctx, input, signal }) => ctx.operations.list(input, signal ?? NEVER)),
  form: procedure
    .input(operationFormOfSchema)
    .output(passesOn(operationFormSchema))
    .query(({ ctx, input, signal }) => ctx.operations.form(input, signal ?? NEVER)),
  plan: procedure
    .input(planOperationCallSchema)
    .output(passesOn(operationPlanSchema))
    .mutation(({ ctx, input, signal }) => ctx.operations.plan(input, signal ?? NEVER)),
  start: procedure
    .input(startOperationSchema)
    .output(answersWith(operationRunSchema))
    .mutation(({ ctx, input, signal }) => ctx.operationRuns.start(input, signal ?? NEVER)),
  runs: procedure.output(answersWith(z.array(operationRunSchema))).query(({ ctx }) => ctx.operationRuns.list()),
  /** A run until it ends. Where the caller leaves, the run is cancelled. */
  follow: procedure
    .input(operationRunIdSchema)
    .output(streams(operationRunSchema))
    .mutation(async function* ({ ctx, input, signal }) {
      yield* ctx.operationRuns.follow(input.id, signal ?? NEVER);
    }),
  cancel: procedure
    .input(operationRunIdSchema)
    .output(answersWith(operationRunSchema))
    .mutation(({ ctx, input }) => ctx.operationRuns.cancel(input.id)),
  resume: procedure
    .input(operationRunIdSchema)
    .output(answersWith(operationRunSchema))
    .mutation(({ ctx, input, signal }) => ctx.operationRuns.resume(input.id, signal ?? NEVER)),
  /** Takes one that isn't running off the list. */
  leave: procedure
    .input(operationRunIdSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.operationRuns.leave(input.id)),
  undo: procedure
    .input(operationRunIdSchema)
    .output(answersWith(operationCallSchema))
    .query(({ ctx, input }) => ctx.operationRuns.undoOf(input.id)),
});
