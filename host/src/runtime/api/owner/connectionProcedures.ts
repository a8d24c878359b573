import { answersWith } from '../procedureAnswer.ts';
import { storedInputSchema, addedConnectionSchema } from '../../../common/connection.ts';
import type { ConnectionInput } from '../../../common/connection.ts';
import { HostError } from '../../../common/errors.ts';
import type { OwnerContext } from './ownerContext.ts';
import { ownerProcedure, ownerTrpcRouter } from './ownerTrpc.ts';

/** Connections that name what the host has: variables of its environment, its secure store, its session. */
export const connectionProcedures = ownerTrpcRouter({
  /** Saves one whose credentials can be kept as they were given, and warns of variables that the host lacks. */
  add: ownerProcedure
    .input(storedInputSchema)
    .output(answersWith(addedConnectionSchema))
    .mutation(async ({ ctx, input }) => {
      await requireStorableSecrets(ctx, input);
      const connection = await ctx.connectionService.create(input);
      return { connection, warnings: missingVariables(ctx, input) };
    }),
});

async function requireStorableSecrets({ shell, secureStore }: OwnerContext, input: ConnectionInput): Promise<void> {
  const kinds = Object.values(input.secrets).map(({ kind }) => kind);
  if (kinds.includes('session') && shell.lifetime === 'command') {
    throw new HostError('INVALID_REQUEST', 'No host is running, so a credential for its session would be forgotten at once.', {
      details: { advice: 'Start one with "tabularium serve", or name an environment variable that holds the credential.' },
    });
  }
  if (!kinds.includes('store')) return;
  const state = await secureStore.state();
  if (state.available) return;
  const otherwise =
    'Name an environment variable that holds the credential (the option that ends in -env), or keep it until the running host stops ' +
    '(the one that ends in -session). It is never stored unencrypted.';
  throw new HostError('SECURE_STORE_UNAVAILABLE', state.reason, {
    details: { advice: state.advice === undefined ? otherwise : `${state.advice} Otherwise: ${otherwise}` },
  });
}

function missingVariables({ shell, hasVariable }: OwnerContext, input: ConnectionInput): string[] {
  const warnings: string[] = [];
  for (const secret of Object.values(input.secrets)) {
    if (secret.kind !== 'environment' || hasVariable(secret.variable)) continue;
    const where =
      shell.lifetime === 'host'
        ? 'The running host was started without it, so set it and start the host again'
        : 'Set it before the connection is used';
    warnings.push(`The environment variable ${secret.variable} is not set. ${where}.`);
  }
  return warnings;
}
