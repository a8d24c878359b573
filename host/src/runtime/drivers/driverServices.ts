import { DriverCatalogue } from './catalogue/driverCatalogue.ts';
import { GrantingConnector } from './driverConnector.ts';
import { DriverUse } from './driverUse.ts';
import { Drivers } from './drivers.ts';
import { DriverDevelopment } from './install/driverDevelopment.ts';
import { DriverInstaller } from './install/driverInstaller.ts';
import { PlatformFiles } from './install/platformFiles.ts';
import { DriverManagement } from './install/driverManagement.ts';
import { DriverRecords } from './packages/driverRecords.ts';
import { DriverPolicy } from './policy/driverPolicy.ts';
import { WiderGrants } from './policy/widerGrants.ts';
import { DriverProcesses } from './processes/driverProcesses.ts';
import { Inspection } from './processes/inspection.ts';
import { DocumentCache } from './registry/documentCache.ts';
import { Registries } from './registry/registries.ts';
import { RegistryClient } from './registry/registryClient.ts';
import { RegistryManagement } from './registry/registryManagement.ts';
import { RegistryNetwork } from './registry/registryNetwork.ts';
import { RegistrySettings } from './registry/registrySettings.ts';
import { SignedCatalogues } from './registry/signedCatalogues.ts';
import { TrustedMetadataFiles } from './registry/trustedMetadata.ts';
import { PublisherTrust } from './trust/publisherTrust.ts';
import { TrustStore } from './trust/trustStore.ts';
import { AcceptedHostKeys } from './tunnels/acceptedHostKeys.ts';
import { HostKeys } from './tunnels/hostKeys.ts';
import { Tunnels } from './tunnels/tunnels.ts';
import { DeveloperFolders } from './versions/developerFolders.ts';
import { DriverChoices } from './versions/driverChoices.ts';
import { InstalledDrivers } from './versions/installedDrivers.ts';

/** The services of installed drivers: trust, versions, registries, processes, tunnels. */
export const driverServices = [
  TrustStore,
  PublisherTrust,
  DriverPolicy,
  WiderGrants,
  DriverRecords,
  DriverChoices,
  DeveloperFolders,
  InstalledDrivers,
  DocumentCache,
  RegistryClient,
  RegistryNetwork,
  RegistrySettings,
  Registries,
  TrustedMetadataFiles,
  SignedCatalogues,
  DriverCatalogue,
  DriverInstaller,
  PlatformFiles,
  DriverManagement,
  RegistryManagement,
  DriverDevelopment,
  Drivers,
  Inspection,
  DriverProcesses,
  GrantingConnector,
  DriverUse,
  AcceptedHostKeys,
  HostKeys,
  Tunnels,
] as const;
