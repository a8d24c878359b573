import { z } from 'zod';
import { passesOn, nothing } from './procedureAnswer.ts';
import {
  principalSchema,
  principalFactsSchema,
  principalFieldSchema,
  principalPlanSchema,
  createdPrincipalSchema,
  generatedCredentialSchema,
} from '@tabularium/sdk/protocol';
import { connectionIdSchema } from '../../common/api.ts';
import {
  createPrincipalSchema,
  planPrincipalSchema,
  principalDetailsSchema,
  principalFormSchema,
  principalsInfoSchema,
  removePrincipalSchema,
  runPrincipalSchema,
} from '../../common/principals.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** The principals of a database. */
export const principalsRouter = router({
  info: procedure
    .input(connectionIdSchema)
    .output(passesOn(principalsInfoSchema))
    .query(({ ctx, input, signal }) => ctx.principals.info(input.connectionId, signal ?? NEVER)),
  list: procedure
    .input(connectionIdSchema)
    .output(passesOn(z.array(principalSchema)))
    .query(({ ctx, input, signal }) => ctx.principals.list(input.connectionId, signal ?? NEVER)),
  form: procedure
    .input(connectionIdSchema)
    .output(passesOn(z.array(principalFieldSchema)))
    .query(({ ctx, input, signal }) => ctx.principals.form(input.connectionId, signal ?? NEVER)),
  /** The answer holds the secret, this once. */
  create: procedure
    .input(createPrincipalSchema)
    .output(passesOn(createdPrincipalSchema))
    .mutation(({ ctx, input, signal }) => ctx.principals.create(input.connectionId, input.input, signal ?? NEVER)),
  generatorForm: procedure
    .input(connectionIdSchema)
    .output(passesOn(z.array(principalFieldSchema)))
    .query(({ ctx, input, signal }) => ctx.principals.generatorForm(input.connectionId, signal ?? NEVER)),
  /** The answer holds the credential, this once. */
  generate: procedure
    .input(createPrincipalSchema)
    .output(passesOn(generatedCredentialSchema))
    .mutation(({ ctx, input, signal }) => ctx.principals.generate(input.connectionId, input.input, signal ?? NEVER)),
  /** Its objects and permissions. */
  details: procedure
    .input(principalDetailsSchema)
    .output(passesOn(z.array(principalFactsSchema)))
    .query(({ ctx, input, signal }) => ctx.principals.details(input.connectionId, input.id, signal ?? NEVER)),
  changeForm: procedure
    .input(principalFormSchema)
    .output(passesOn(z.array(principalFieldSchema)))
    .query(({ ctx, input, signal }) => ctx.principals.changeForm(input.connectionId, input.action, signal ?? NEVER)),
  /** Changes nothing. A mutation, because its input may hold a password, which has no place in an address. */
  plan: procedure
    .input(planPrincipalSchema)
    .output(passesOn(principalPlanSchema))
    .mutation(({ ctx, input, signal }) => ctx.principals.plan(input.connectionId, input.request, signal ?? NEVER)),
  /** Does what was planned, if it is still the same. */
  run: procedure
    .input(runPrincipalSchema)
    .output(passesOn(z.array(principalSchema)))
    .mutation(({ ctx, input, signal }) =>
      ctx.principals.run(input.connectionId, input.request, input.confirmed, signal ?? NEVER),
    ),
  remove: procedure
    .input(removePrincipalSchema)
    .output(nothing)
    .mutation(({ ctx, input, signal }) => ctx.principals.remove(input.connectionId, input.id, signal ?? NEVER)),
});
