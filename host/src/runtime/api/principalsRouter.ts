import { connectionIdSchema } from '../../common/api.ts';
import { createPrincipalSchema, removePrincipalSchema } from '../../common/principals.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Who may use a database. */
export const principalsRouter = router({
  info: procedure
    .input(connectionIdSchema)
    .query(({ ctx, input, signal }) => ctx.principals.info(input.connectionId, signal ?? NEVER)),
  list: procedure
    .input(connectionIdSchema)
    .query(({ ctx, input, signal }) => ctx.principals.list(input.connectionId, signal ?? NEVER)),
  form: procedure
    .input(connectionIdSchema)
    .query(({ ctx, input, signal }) => ctx.principals.form(input.connectionId, signal ?? NEVER)),
  /** The answer holds the secret, this once. */
  create: procedure
    .input(createPrincipalSchema)
    .mutation(({ ctx, input, signal }) => ctx.principals.create(input.connectionId, input.input, signal ?? NEVER)),
  remove: procedure
    .input(removePrincipalSchema)
    .mutation(({ ctx, input, signal }) => ctx.principals.remove(input.connectionId, input.id, signal ?? NEVER)),
});
