import { DriverError } from '@tabularium/sdk';
import type { DriverErrorCode } from '@tabularium/sdk';
import type { Tunnel } from '../broker/tunnel.ts';

/** The codes that a driver may have for a server that it didn't reach. */
const UNREACHED: ReadonlySet<DriverErrorCode> = new Set([
  'CONNECTION_LOST',
  'CONNECTION_REFUSED',
  'HOST_NOT_FOUND',
  'SERVER_NOT_READY',
  'TIMEOUT',
  'DRIVER_FAULT',
] satisfies DriverErrorCode[]);

/**
 * A driver learns of a tunnel that could not be opened again as of any lost connection, and says so. The person is to hear why the host did not open it: a
 * key that has changed is a warning, and not a disturbance. The driver's own error stays where a call that may have changed something had the tunnel
 * open: whether it was done is not known then.
 *
 * @param isReading - the call changes nothing
 * @returns the error for one of a call that begins now
 */
export function tunnelErrors(tunnel: Tunnel | undefined, isReading: boolean): (error: unknown) => unknown {
  if (tunnel === undefined) return (error) => error;
  const { openings, isOpen } = tunnel;
  return (error) => {
    const { refusal } = tunnel;
    if (refusal === undefined || !(error instanceof DriverError) || !UNREACHED.has(error.code)) return error;
    const wasNeverOpen = !isOpen && tunnel.openings === openings;
    return isReading || wasNeverOpen ? refusal : error;
  };
}
