import { z } from 'zod';
import { answersWith, passesOn, nothing } from './procedureAnswer.ts';
import {
  claimWindowSchema,
  keepDocumentsSchema,
  keepWindowSchema,
  releaseWindowSchema,
  workspaceDocumentsSchema,
  claimedWindowSchema,
} from '../../common/workspaceState.ts';
import { procedure, router } from './trpc.ts';

/** The state that windows remember. */
export const workspaceRouter = router({
  documents: procedure
    .input(workspaceDocumentsSchema)
    .output(passesOn(z.record(z.string(), z.unknown())))
    .query(({ ctx, input }) => ctx.workspace.documents(input.scope)),
  keep: procedure
    .input(keepDocumentsSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.workspace.keep(input)),
  claimWindow: procedure
    .input(claimWindowSchema)
    .output(answersWith(claimedWindowSchema))
    .mutation(({ ctx, input }) => ctx.workspace.claimWindow(input)),
  keepWindow: procedure
    .input(keepWindowSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.workspace.keepWindow(input.windowId, input.workspace)),
  releaseWindow: procedure
    .input(releaseWindowSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.workspace.releaseWindow(input.windowId, input.lease)),
});
