import type { Logger } from '../../storage/logger.ts';
import type { DriverManagement } from './driverManagement.ts';

/** Ends what a registry has just revoked. @param management - asked for at the first revocation */
export function onRevocation(logger: Logger, management: () => DriverManagement): () => void {
  return () => {
    management()
      .endRevoked()
      .catch((error: unknown) => logger.warn(`drivers that were revoked were not ended: ${String(error)}`));
  };
}
