import { isDriverError } from '@tabularium/sdk';

const TOO_MANY_CONNECTIONS = '53300';

/** Whether an error says that the server takes no further connection of this role, database or at all. */
export function hasNoPlace(error: unknown): boolean {
  return isDriverError(error) && error.details.status === TOO_MANY_CONNECTIONS;
}
