import { DriverError } from '@tabularium/sdk';
import { faultTexts, postgresError } from '../fault.ts';

export function staysHere(name: string, here: string): DriverError {
  return new DriverError(
    'CONFLICT',
    `The session has an open transaction in the database “${here}”, so it can't change to “${name}”.`,
    {
      details: {
        advice: 'Commit the transaction or roll it back first.',
        texts: faultTexts('session.stays', { name, here }, 'session.stays.advice'),
      },
    },
  );
}

export function sessionEnded(cause: unknown, isUncertain: boolean): DriverError {
  const { message } = postgresError(cause);
  if (isUncertain)
    return new DriverError(
      'CONNECTION_LOST',
      `The session ended before the answer came, so it isn't known whether the server made the change. ${message}`,
      {
        cause,
        details: {
          advice: 'Look at the data before you repeat it.',
          texts: faultTexts('session.uncertain', { message }, 'session.uncertain.advice'),
        },
      },
    );
  return new DriverError('CONNECTION_LOST', `The session ended, and what it had not committed was rolled back. ${message}`, {
    cause,
    details: { advice: 'Open a new session.', texts: faultTexts('session.ended', { message }, 'session.ended.advice') },
  });
}

export function transactionFailed(): DriverError {
  return new DriverError('CONFLICT', 'The transaction has failed, so the server runs nothing more in it.', {
    details: { advice: 'Roll it back.', texts: faultTexts('session.failed', {}, 'session.failed.advice') },
  });
}

export function rolledBackInstead(): DriverError {
  return new DriverError('CONFLICT', 'The transaction had failed, so the server rolled it back.', {
    details: { texts: faultTexts('session.notCommitted') },
  });
}
