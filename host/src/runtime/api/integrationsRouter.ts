import { answersWith, streams, nothing } from './procedureAnswer.ts';
import { z } from 'zod';
import {
  activityFilterSchema,
  approvalAnswerSchema,
  integrationSettingsSchema,
  mintTokenSchema,
  mcpStateSchema,
  tokenSummarySchema,
  mintedTokenSchema,
  approvalAnsweredSchema,
  consentAnsweredSchema,
  consentAnswerSchema,
  approvalGrantSchema,
  activityPageSchema,
  activityVerificationSchema,
  connectedClientSchema,
} from '../../common/integrations.ts';
import { NEVER, procedure, router } from './trpc.ts';

const byId = z.object({ id: z.string().min(1).max(100) });

/** Requests of the window about external clients. */
export const integrationsRouter = router({
  state: procedure.output(answersWith(mcpStateSchema)).query(({ ctx }) => ctx.integrations.state()),
  settings: procedure.output(answersWith(integrationSettingsSchema)).query(({ ctx }) => ctx.integrations.settings()),
  setSettings: procedure
    .input(integrationSettingsSchema)
    .output(answersWith(integrationSettingsSchema))
    .mutation(({ ctx, input }) => ctx.integrations.change(input)),
  tokens: procedure.output(answersWith(z.array(tokenSummarySchema))).query(({ ctx }) => ctx.integrations.tokens()),
  mintToken: procedure
    .input(mintTokenSchema)
    .output(answersWith(mintedTokenSchema))
    .mutation(({ ctx, input }) => ctx.integrations.mint(input)),
  revokeToken: procedure
    .input(byId)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.integrations.revoke(input.id)),
  answerApproval: procedure
    .input(z.object({ id: z.uuid(), answer: approvalAnswerSchema, digest: z.string().min(1).max(100) }))
    .output(answersWith(approvalAnsweredSchema))
    .mutation(({ ctx, input }) => ctx.integrations.answerApproval(input.id, input.answer, input.digest)),
  answerConsent: procedure
    .input(z.object({ id: z.uuid(), answer: consentAnswerSchema }))
    .output(answersWith(consentAnsweredSchema))
    .mutation(({ ctx, input }) => ctx.integrations.answerConsent(input.id, input.answer)),
  dismissNewSecret: procedure
    .input(z.object({ id: z.uuid() }))
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.integrations.dismissNewSecret(input.id)),
  grants: procedure.output(answersWith(z.array(approvalGrantSchema))).query(({ ctx }) => ctx.integrations.grants()),
  revokeGrant: procedure
    .input(byId)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.integrations.revokeGrant(input.id)),
  activity: procedure
    .input(activityFilterSchema)
    .output(answersWith(activityPageSchema))
    .query(({ ctx, input, signal }) => ctx.integrations.activity(input, signal ?? NEVER)),
  exportActivity: procedure
    .input(activityFilterSchema)
    .output(streams(z.string()))
    .mutation(async function* ({ ctx, input }) {
      yield* ctx.integrations.exportActivity(input);
    }),
  verifyActivity: procedure
    .output(answersWith(activityVerificationSchema))
    .query(({ ctx, signal }) => ctx.integrations.verifyActivity(signal ?? NEVER)),
  clients: procedure.output(answersWith(z.array(connectedClientSchema))).query(({ ctx }) => ctx.integrations.clients()),
  disconnect: procedure
    .input(byId)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.integrations.disconnect(input.id)),
});
