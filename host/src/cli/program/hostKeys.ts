import { visibleText } from '@tabularium/sdk';
import type { Command } from 'commander';
import { HostError } from '../../common/errors.ts';
import { forgottenHostKeySchema } from '../../common/hostKeyQuestion.ts';
import { tunnelAddress } from '../../common/tunnelOf.ts';
import { ReportedError } from '../../runtime/ownerSocket/ownerProtocol.ts';
import { findConnection } from '../findConnection.ts';
import { causeOf } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { UsageError } from '../usageError.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { print, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import type { SavedConnection } from '../../common/connection.ts';
import { typedConnection } from '../../common/typedConnection.ts';
import { typedWord } from '../../common/typedWord.ts';

const forgetAnswer = new JsonAnswer(forgottenHostKeySchema);

export function addForgetHostKeyCommand(connections: Command, context: ProgramContext): void {
  connections
    .command('forget-host-key')
    .description(
      "forget the accepted key of a connection's SSH server, after it was replaced, so that the next one is asked about",
    )
    .argument('<connection>', 'name or id')
    .addOption(forgetAnswer)
    .action(async (connection: string, options: JsonOption) => {
      const answer = await run(context, forgottenHostKeySchema, async (api, calling) => {
        const { id } = await findConnection(api, connection, calling);
        return api.connections.forgetHostKey.mutate({ connectionId: id }, calling);
      });
      await print(context, options, forgetAnswer, answer, () =>
        answer.forgotten
          ? `Forgot the host key of ${visibleText(answer.server)}.\n`
          : `Tabularium has accepted no host key of ${visibleText(answer.server)}. Look into known_hosts: ssh-keygen -F.\n`,
      );
    });
}

/**
 * Does `work`; where it needs the key of an SSH server to be accepted, and that has the fingerprint which the person named, the key is accepted and
 * `work` done again.
 *
 * @throws HostError `SSH_KEY_UNKNOWN` with the fingerprint to compare
 */
export async function acceptingHostKey(
  api: OwnerApi,
  calling: ApiCallOptions,
  {
    fingerprint,
    connection,
  }: { readonly fingerprint: string | undefined; readonly connection: Pick<SavedConnection, 'id' | 'name'> },
  work: () => Promise<void>,
): Promise<void> {
  if (fingerprint !== undefined && !/^SHA256:[A-Za-z0-9+/]{43}$/.test(fingerprint))
    throw new UsageError('--accept-host-key takes a fingerprint such as SHA256:… with 43 characters after it.');
  try {
    await work();
  } catch (error) {
    const cause = causeOf(error);
    const question = cause instanceof ReportedError ? cause.report.hostKeyQuestion : undefined;
    if (question === undefined) throw error;
    const server = visibleText(tunnelAddress(question), 'name');
    const presented = `The SSH server ${server} presented the ${visibleText(question.keyType, 'name')} key ${visibleText(question.fingerprint, 'name')}`;
    if (fingerprint === undefined) {
      throw new HostError('SSH_KEY_UNKNOWN', `${presented}, which is not known yet. Nothing was sent.`, {
        details: {
          advice: `Compare it with the fingerprint that the server's operator gave you. If they match, run: tabularium connections test ${typedConnection(connection)} --accept-host-key ${typedWord(question.fingerprint)}`,
        },
      });
    }
    if (fingerprint !== question.fingerprint) {
      throw new HostError('SSH_KEY_UNKNOWN', `${presented}, and not ${fingerprint}. Nothing was sent.`, {
        details: { advice: 'Do not connect. Ask the operator of the SSH server.' },
      });
    }
    await api.connections.acceptHostKey.mutate({ code: question.code }, calling);
    await work();
  }
}
