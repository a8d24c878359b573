import { z } from 'zod';
import { answersWith, passesOn, nothing } from './procedureAnswer.ts';
import {
  claimWindowSchema,
  saveDocumentsSchema,
  saveWindowSchema,
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
  save: procedure
    .input(saveDocumentsSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.workspace.save(input)),
  claimWindow: procedure
    .input(claimWindowSchema)
    .output(answersWith(claimedWindowSchema))
    .mutation(({ ctx, input }) => ctx.workspace.claimWindow(input)),
  saveWindow: procedure
    .input(saveWindowSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.workspace.saveWindow(input.windowId, input.workspace)),
  releaseWindow: procedure
    .input(releaseWindowSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.workspace.releaseWindow(input.windowId, input.lease)),
});
