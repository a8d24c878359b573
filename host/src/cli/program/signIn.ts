import { visibleText } from '@tabularium/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import { signedOutSchema, signInStepSchema, signInWaySchema } from '../../common/signInSteps.ts';
import type { SignInStep, SignInWay } from '../../common/signInSteps.ts';
import { HostError } from '../../common/errors.ts';
import { findConnection } from '../findConnection.ts';
import { write } from '../terminal.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { choice, follow, print, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const signInAnswer = new JsonAnswer(z.object({ id: z.string(), name: z.string(), storedIn: z.enum(['store', 'session']) }));
const signOutAnswer = new JsonAnswer(signedOutSchema.extend({ id: z.string(), name: z.string() }));

interface SignInOptions extends JsonOption {
  readonly way?: SignInWay;
}

export function addSignInCommands(connections: Command, context: ProgramContext): void {
  connections
    .command('sign-in')
    .description('sign in at the provider of a connection; the address and the code are printed to standard error')
    .argument('<connection>', 'name or id')
    .option(
      '--way <way>',
      'browser (on this computer) or device (a code on any device); default: device where there is no display, else browser',
      choice('--way', signInWaySchema.options),
    )
    .addOption(signInAnswer)
    .action(async (connection: string, options: SignInOptions) => {
      const answer = await run(context, signInAnswer.schema, async (api, calling) => {
        const { id, name } = await findConnection(api, connection, calling);
        let storedIn: 'store' | 'session' | undefined;
        const attempt = async (way: SignInWay | undefined): Promise<void> => {
          const steps = await api.connections.signIn.mutate({ connectionId: id, way }, calling);
          await follow(steps, signInStepSchema, async (step) => {
            if (step.step === 'signedIn') storedIn = step.storedIn;
            else await write(context.terminal.stderr, instruction(step));
          });
        };
        await attempt(options.way ?? (hasDisplay(context.env) ? undefined : 'device'));
        if (storedIn === undefined) throw new HostError('INVALID_REQUEST', 'The sign-in ended without an answer.');
        return { id, name, storedIn };
      });
      await print(context, options, signInAnswer, answer, () =>
        answer.storedIn === 'store'
          ? `Signed in "${answer.name}".\n`
          : `Signed in "${answer.name}" until Tabularium stops: the secure store isn't available.\n`,
      );
    });

  connections
    .command('sign-out')
    .description('forget the sign-in of a connection, and revoke it at the provider where the driver names an address for that')
    .argument('<connection>', 'name or id')
    .addOption(signOutAnswer)
    .action(async (connection: string, options: JsonOption) => {
      const answer = await run(context, signOutAnswer.schema, async (api, calling) => {
        const { id, name } = await findConnection(api, connection, calling);
        const ended = await api.connections.signOut.mutate({ connectionId: id }, calling);
        return { ...signedOutSchema.parse(ended), id, name };
      });
      await print(context, options, signOutAnswer, answer, () => {
        if (!answer.wasSignedIn) return `"${answer.name}" wasn't signed in.\n`;
        return answer.revoked
          ? `Signed out "${answer.name}". The provider revoked the sign-in.\n`
          : `Signed out "${answer.name}" on this computer. The provider didn't confirm that it revoked the sign-in.\n`;
      });
    });
}

/** Whether a browser of the person can be expected here. */
function hasDisplay(env: NodeJS.ProcessEnv): boolean {
  if (env['SSH_CONNECTION'] !== undefined) return false;
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((display) => display !== undefined && display !== '');
}

function instruction(step: Exclude<SignInStep, { readonly step: 'signedIn' }>): string {
  const address = visibleText(step.address, 'name', 4_000);
  if (step.step === 'browser') return `Open this address in a browser on this computer and sign in:\n\n  ${address}\n\n`;
  const until = new Date(step.expiresAt).toLocaleTimeString();
  return `Open ${address} on any device and enter this code before ${until}:\n\n  ${visibleText(step.code)}\n\n`;
}
