import { DriverError, DRIVER_ERRORS, isDriverError } from '@tabularium/sdk';
import type { SavedConnection } from '../../../common/connection.ts';

/**
 * The error for a client of a connection that couldn't be opened, where its driver signs in with the credentials itself: the code, and none of the
 * driver's words. A clumsy driver may quote a credential there. A client that may change settings of its role on the server can decide
 * what the server says at a sign-in, so looking for credentials in the words would confirm its guesses.
 */
export function unopened(error: unknown, { name }: Pick<SavedConnection, 'name'>): unknown {
  if (!isDriverError(error)) return error;
  return new DriverError(error.code, `The connection "${name}" couldn't be opened: ${DRIVER_ERRORS[error.code].sentence}`, {
    details: { advice: 'Ask the person to open it in the Tabularium window, which shows what the driver and the server say.' },
    cause: error,
  });
}
