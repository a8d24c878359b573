import type { DependencyContainer } from 'tsyringe';
import { DriverManagement } from './drivers/install/driverManagement.ts';
import { RegistryNetwork } from './drivers/registry/registryNetwork.ts';
import { SignedCatalogues } from './drivers/registry/signedCatalogues.ts';
import { TrustedMetadataFiles } from './drivers/registry/trustedMetadata.ts';
import type { LocalRegistry } from './drivers/trust/localRegistry.ts';
import type { DriverFolders } from './drivers/packages/driverFolders.ts';
import type { Logger } from './storage/logger.ts';
import { FOLDERS, LOGGER } from './serviceTokens.ts';

/** The signed catalogues of the registries; what a registry revokes is ended at once. */
export function makeSignedCatalogues(
  container: DependencyContainer,
  localRegistry: () => Promise<LocalRegistry | undefined>,
): SignedCatalogues {
  const logger = container.resolve<Logger>(LOGGER);
  return new SignedCatalogues({
    files: new TrustedMetadataFiles(container.resolve<DriverFolders>(FOLDERS).trust),
    network: container.resolve(RegistryNetwork),
    localRegistry,
    logger,
    onRevocation: () => {
      // Resolved when it is needed: the management needs the catalogues.
      container
        .resolve(DriverManagement)
        .endRevoked()
        .catch((error: unknown) => logger.warn(`drivers that were revoked were not ended: ${String(error)}`));
    },
  });
}
