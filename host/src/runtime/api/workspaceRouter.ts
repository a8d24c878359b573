import {
  claimWindowSchema,
  keepDocumentsSchema,
  keepWindowSchema,
  releaseWindowSchema,
  workspaceDocumentsSchema,
} from '../../common/workspaceState.ts';
import { procedure, router } from './trpc.ts';

/** What windows remember. */
export const workspaceRouter = router({
  documents: procedure.input(workspaceDocumentsSchema).query(({ ctx, input }) => ctx.workspace.documents(input.scope)),
  keep: procedure.input(keepDocumentsSchema).mutation(({ ctx, input }) => ctx.workspace.keep(input)),
  claimWindow: procedure.input(claimWindowSchema).mutation(({ ctx, input }) => ctx.workspace.claimWindow(input)),
  keepWindow: procedure
    .input(keepWindowSchema)
    .mutation(({ ctx, input }) => ctx.workspace.keepWindow(input.windowId, input.workspace)),
  releaseWindow: procedure
    .input(releaseWindowSchema)
    .mutation(({ ctx, input }) => ctx.workspace.releaseWindow(input.windowId, input.lease)),
});
