import type { WiderGrant } from '@tabularium/sdk/manifest';
import type {
  DowngradeConsent,
  DriverDetails,
  DriverNetwork,
  DriversOverview,
  InstalledDriverInfo,
  InstallProgress,
  PublisherInfo,
  PublisherKey,
  RegistryInfo,
} from '../../../common/drivers.ts';
import type { RegistryInput } from '../../../common/driversApi.ts';

/** What the window and the command line do with drivers beside choosing and installing one. */
export interface DriverManagementServices {
  overview(): Promise<DriversOverview>;
  details(driver: string): Promise<DriverDetails>;
  update(driver: string, signal: AbortSignal): AsyncIterable<InstallProgress>;
  updatable(): Promise<readonly string[]>;
  rollback(driver: string): Promise<InstalledDriverInfo>;
  pin(
    driver: string,
    version: string | undefined,
    signal: AbortSignal,
    allowDowngrade?: DowngradeConsent,
  ): Promise<InstalledDriverInfo>;
  unpin(driver: string): void;
  enable(driver: string): Promise<void>;
  disable(driver: string): Promise<void>;
  remove(driver: string): Promise<void>;
  applyToOpen(driver: string): Promise<void>;
  installArchive(
    archive: Uint8Array,
    name: string,
    signal: AbortSignal,
    allowDowngrade?: DowngradeConsent,
  ): Promise<InstalledDriverInfo>;
  installFile(file: string, signal: AbortSignal, allowDowngrade?: DowngradeConsent): Promise<InstalledDriverInfo>;
  bundle(driver: string, version?: string): Promise<{ readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }>;
  bundleTo(driver: string, version: string | undefined, file: string): Promise<{ readonly file: string; readonly bytes: number }>;
  loadFolder(folder: string, signal: AbortSignal): Promise<InstalledDriverInfo>;
  forgetFolder(driver: string): Promise<void>;
  keys(): Promise<readonly PublisherKey[]>;
  trustKey(keyId: string, shown?: { readonly id: string; readonly name: string }): Promise<PublisherInfo>;
  revokeKey(keyId: string): Promise<void>;
  allowGrants(driver: string, grants: readonly WiderGrant[], askedBy?: string): void;
  withdrawGrants(driver: string): Promise<void>;
  registries(): Promise<readonly RegistryInfo[]>;
  saveRegistry(input: RegistryInput): Promise<void>;
  removeRegistry(url: string): Promise<void>;
  network(): DriverNetwork;
  setNetwork(network: DriverNetwork): void;
}
