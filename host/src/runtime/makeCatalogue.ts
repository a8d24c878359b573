import { join } from 'node:path';
import type { DependencyContainer } from 'tsyringe';
import { DriverCatalogue } from './drivers/catalogue/driverCatalogue.ts';
import { readSeedCatalogue } from './drivers/catalogue/seedCatalogue.ts';
import { DriverPolicy } from './drivers/policy/driverPolicy.ts';
import { DocumentCache } from './drivers/registry/documentCache.ts';
import type { Registries } from './drivers/registry/registries.ts';
import { RegistryClient } from './drivers/registry/registryClient.ts';
import { InstalledDrivers } from './drivers/versions/installedDrivers.ts';
import { SignedCatalogues } from './drivers/registry/signedCatalogues.ts';
import { hostPackage } from './program/hostPackage.ts';
import type { Logger } from './storage/logger.ts';
import { LOGGER } from './serviceTokens.ts';

/** The catalogue of some registries, from the services of the host. */
export function makeCatalogue(container: DependencyContainer, registries: Pick<Registries, 'list' | 'byUrl'>): DriverCatalogue {
  return new DriverCatalogue({
    seed: () => readSeedCatalogue(join(hostPackage().folder, 'catalogue', 'first-party.json')),
    registries,
    client: container.resolve(RegistryClient),
    cache: container.resolve(DocumentCache),
    installed: container.resolve(InstalledDrivers),
    policy: container.resolve(DriverPolicy),
    signedCatalogues: container.resolve(SignedCatalogues),
    logger: container.resolve<Logger>(LOGGER),
  });
}
