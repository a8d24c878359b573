import { DriverError } from '@tabularium/sdk';
import { CHECK_SERVER, faultTexts, notProtocol, serverUnproven } from '../fault.ts';
import type { PgClient } from './pgClient.ts';

/** The parts of the library's client that answer a server's requests for a password. They are found by name when the connection begins. */
interface SignInParts {
  readonly connection: { on(event: 'authenticationOk', listener: () => void): void };
  _handleAuthCleartextPassword: (message: unknown) => void;
  _handleAuthMD5Password: (message: unknown) => void;
  _handleAuthSASL: (message: unknown) => void;
  _handleAuthSASLContinue: (message: unknown) => void;
  _handleAuthSASLFinal: (message: unknown) => void;
}

/**
 * Holds the server to one way of signing in. The library answers every request for a password, in any order and at any time, so a server could begin with SCRAM, which proves both
 * sides and shows nothing, and then ask for the password itself. To be called before the client connects.
 *
 * @param refuse - ends the connection with the error
 */
export function guardSignIn(client: PgClient, isEncrypted: boolean, refuse: (error: DriverError) => void): void {
  const parts = client as unknown as SignInParts;
  let way: 'password' | 'md5' | 'scram' | undefined;
  /** Whether the server still owes the proof that it has the password, too. */
  let owesProof = false;
  let isSignedIn = false;
  let isChallenged = false;

  const guarded = (wanted: NonNullable<typeof way>, answer: (message: unknown) => void) => (message: unknown) => {
    if (isSignedIn || way !== undefined)
      return refuse(
        denied(
          'The server asks for the password a second time, in another way or after the sign-in. It was not sent again.',
          'signIn.again',
        ),
      );
    if (wanted === 'password' && !isEncrypted)
      return refuse(
        denied(
          'The server asks for the unencrypted password over an unencrypted connection. The password was not sent.',
          'signIn.unencrypted',
          'Choose an SSL mode that encrypts, or have the server use scram-sha-256 for this user (pg_hba.conf).',
          'signIn.unencrypted.advice',
        ),
      );
    way = wanted;
    owesProof = wanted === 'scram';
    answer.call(client, message);
  };
  const finish = parts._handleAuthSASLFinal;
  parts._handleAuthCleartextPassword = guarded('password', parts._handleAuthCleartextPassword);
  parts._handleAuthMD5Password = guarded('md5', parts._handleAuthMD5Password);
  parts._handleAuthSASL = guarded('scram', parts._handleAuthSASL);
  const goOn = parts._handleAuthSASLContinue;
  parts._handleAuthSASLContinue = (message) => {
    // Each derives a key from the password, which takes time on purpose.
    if (isChallenged) return refuse(notProtocol());
    isChallenged = true;
    goOn.call(client, message);
  };
  parts._handleAuthSASLFinal = (message) => {
    // A false proof ends the connection in the library.
    owesProof = false;
    finish.call(client, message);
  };
  parts.connection.on('authenticationOk', () => {
    isSignedIn = true;
    if (owesProof) refuse(serverUnproven());
  });
}

/** @param id - of the message's translation */
function denied(message: string, id: string, advice = CHECK_SERVER, adviceId = 'signIn.check'): DriverError {
  return new DriverError('ACCESS_REFUSED', message, { details: { advice, texts: faultTexts(id, {}, adviceId) } });
}
