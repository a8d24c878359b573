import { DriverError } from '@tabularium/sdk';

/** How the end of a driver's process says it. */
export const SENT_FOREIGN_CREDENTIAL =
  'was stopped: it asked to send a credential of one origin to another, in a path or header, and nothing was sent';

/**
 * A driver asked to carry a credential of one origin to another. It has no credential in its hands, so it has learnt it from a server, or it guesses: the
 * first time ends its process, and a person is asked before the connection is opened again. An answer that a driver lives to read would make a right guess differ from a wrong one.
 */
export class ForeignCredentialError extends DriverError {
  constructor() {
    super(
      'DRIVER_FAULT',
      'The driver asked to send a credential of one origin to another, in a path or header. Nothing was sent.',
    );
  }
}

/** Whether that is why something failed. */
export function isForeignCredential(error: unknown): boolean {
  for (let reason = error; reason instanceof Error; reason = reason.cause)
    if (reason instanceof ForeignCredentialError) return true;
  return false;
}
