import { z } from 'zod';
import {
  activityFilterSchema,
  approvalAnswerSchema,
  integrationSettingsSchema,
  mintTokenSchema,
} from '../../common/integrations.ts';
import { procedure, router } from './trpc.ts';

const byId = z.object({ id: z.string().min(1).max(100) });

/** What the window asks about programs outside. */
export const integrationsRouter = router({
  state: procedure.query(({ ctx }) => ctx.integrations.state()),
  settings: procedure.query(({ ctx }) => ctx.integrations.settings()),
  setSettings: procedure.input(integrationSettingsSchema).mutation(({ ctx, input }) => ctx.integrations.change(input)),
  tokens: procedure.query(({ ctx }) => ctx.integrations.tokens()),
  mintToken: procedure.input(mintTokenSchema).mutation(({ ctx, input }) => ctx.integrations.mint(input)),
  revokeToken: procedure.input(byId).mutation(({ ctx, input }) => ctx.integrations.revoke(input.id)),
  answerApproval: procedure
    .input(z.object({ id: z.uuid(), answer: approvalAnswerSchema, digest: z.string().min(1).max(100) }))
    .mutation(({ ctx, input }) => ctx.integrations.answerApproval(input.id, input.answer, input.digest)),
  dismissNewSecret: procedure
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx, input }) => ctx.integrations.dismissNewSecret(input.id)),
  grants: procedure.query(({ ctx }) => ctx.integrations.grants()),
  revokeGrant: procedure.input(byId).mutation(({ ctx, input }) => ctx.integrations.revokeGrant(input.id)),
  activity: procedure.input(activityFilterSchema).query(({ ctx, input }) => ctx.integrations.activity(input)),
  exportActivity: procedure.input(activityFilterSchema).mutation(async function* ({ ctx, input }) {
    yield* ctx.integrations.exportActivity(input);
  }),
  verifyActivity: procedure.query(({ ctx }) => ctx.integrations.verifyActivity()),
  clients: procedure.query(({ ctx }) => ctx.integrations.clients()),
  disconnect: procedure.input(byId).mutation(({ ctx, input }) => ctx.integrations.disconnect(input.id)),
});
