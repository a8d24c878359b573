import { createHash } from 'node:crypto';
import type { ChangedSecret, SecretQuestion } from '../../common/secretQuestion.ts';
import type { ErrorQuestions } from '../../common/errorQuestions.ts';
import { HostError } from '../../common/errors.ts';
import { reachText } from '../credentials/secretReach.ts';

/** A secret would go elsewhere, or otherwise, than was approved; nothing was sent. Carries what a person is asked. */
export class SecretConfirmationError extends HostError {
  readonly question: SecretQuestion;

  constructor(question: SecretQuestion) {
    // Only the connection's name: clients outside read this, too. Old and new are for the person alone.
    const isKnown = question.changes.some(({ before }) => before !== undefined);
    super(
      'SECRET_NOT_CONFIRMED',
      isKnown
        ? `The destination, driver or protection of "${question.connection}" has changed since its credentials were entered, so nothing was sent.`
        : `The destination of the credentials of "${question.connection}" isn't confirmed, so nothing was sent.`,
      {
        details: {
          advice: `Compare old and new in the window, or run: tabularium connections confirm ${JSON.stringify(question.connection)}`,
        },
      },
    );
    this.question = question;
  }

  override get questions(): ErrorQuestions {
    return { secretQuestion: this.question };
  }
}

/** Names exactly these changes: it is another one for any other connection, secret, source or destination. 128 bits, hex. */
export function confirmationCode(connection: string, changes: readonly ChangedSecret[]): string {
  const shown = changes.map(({ field, now }) => [field, now.from, reachText(now)]);
  return createHash('sha256')
    .update(JSON.stringify(['tabularium secret confirmation 1', connection, shown]))
    .digest('hex')
    .slice(0, 32);
}
