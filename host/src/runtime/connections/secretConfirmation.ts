import { createHash } from 'node:crypto';
import type { ChangedSecret, SecretQuestion } from '../../common/secretQuestion.ts';
import type { ErrorQuestions } from '../../common/errorQuestions.ts';
import { HostError } from '../../common/errors.ts';
import type { OriginQuestion } from './confirmedOrigins.ts';
import { reachText } from '../credentials/secretReach.ts';
import { typedConnection } from '../../common/typedConnection.ts';

/** A secret would go elsewhere, or otherwise, than was approved; nothing was sent. Carries what a person is asked. */
export class SecretConfirmationError extends HostError {
  readonly question: SecretQuestion;

  constructor(question: SecretQuestion) {
    super('SECRET_NOT_CONFIRMED', sentenceOf(question), {
      details: {
        advice: `Compare old and new in the window, or run: tabularium connections confirm ${typedConnection({ name: question.connection, id: question.connectionId })}`,
      },
    });
    this.question = question;
  }

  override get questions(): ErrorQuestions {
    return { secretQuestion: this.question };
  }
}

/** Only the connection's name: clients outside read this, too. Old and new are for the person alone. */
function sentenceOf({ connection, changes, newOrigins = [], newFiles = [], isDistrusted }: SecretQuestion): string {
  if (isDistrusted === true)
    return `The driver of "${connection}" tried to send a credential to an origin that it isn't for, so nothing was sent.`;
  if (changes.some(({ before }) => before !== undefined))
    return `The destination, driver or protection of "${connection}" has changed since its credentials were entered, so nothing was sent.`;
  if (changes.length + newOrigins.length === 0 && newFiles.length > 0)
    return `The driver of "${connection}" would read or change a file that you haven't chosen for that, so it got none.`;
  return newOrigins.length > 0
    ? `The driver of "${connection}" would reach an address that you haven't entered or confirmed, so nothing was sent.`
    : `The destination of the credentials of "${connection}" isn't confirmed, so nothing was sent.`;
}

/** Names exactly these changes: it is another one for any other connection, secret, source, destination or origin. 128 bits, hex. */
export function confirmationCode(
  connection: string,
  changes: readonly ChangedSecret[],
  { newOrigins, newFiles, isDistrusted }: OriginQuestion,
): string {
  const shown = changes.map(({ field, now }) => [field, now.from, reachText(now)]);
  const reached = newOrigins.map(({ id, now }) => [id, now.origins, now.verification]);
  const files = newFiles.map(({ field, path, now }) => [field, path, now]);
  return createHash('sha256')
    .update(JSON.stringify(['tabularium secret confirmation 1', connection, shown, reached, isDistrusted, files]))
    .digest('hex')
    .slice(0, 32);
}
