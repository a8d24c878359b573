import { isDriverError } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';

/** Errors after which the driver may have sent more than it reported. After any other error it has not sent the change. */
const UNCERTAIN = new Set(['DRIVER_CRASHED', 'DRIVER_FAULT', 'CONNECTION_LOST', 'TIMEOUT', 'CANCELLED', 'BAD_ANSWER']);

/** Whether a change that the driver did not report was not sent: the driver says so, or read-only mode was turned on and stopped the call before it. */
export function wasNotSent(error: unknown): boolean {
  if (error instanceof HostError) return error.code === 'CONNECTION_READ_ONLY';
  return isDriverError(error) && !UNCERTAIN.has(error.code);
}
