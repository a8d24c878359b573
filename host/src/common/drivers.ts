import type { Manifest } from '@tabularium/sdk/manifest';

/** Whether a database type can be used now. */
export type DriverState = 'notInstalled' | 'installed' | 'updateAvailable' | 'cannotRun';

/** Who signed a package. */
export interface PublisherInfo {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the public key, in hexadecimal groups of four. */
  readonly fingerprint: string;
  readonly origin: 'firstParty' | 'localRegistry' | 'thirdParty';
}

/** One database type in the connection chooser, known before its driver is installed. */
export interface CatalogueEntry {
  readonly id: string;
  readonly packageName: string;
  readonly manifest: Manifest;
  readonly state: DriverState;
  readonly installedVersion?: string;
  /** The newest version that this host can run. */
  readonly availableVersion?: string;
  /** Why a version cannot run here, and what to update. */
  readonly reason?: string;
  readonly publisher?: PublisherInfo;
}

/** The catalogue, and how old it is. */
export interface Catalogue {
  readonly entries: readonly CatalogueEntry[];
  /** When a registry last answered; absent when only the built-in list is known. */
  readonly refreshedAt?: string;
  /** Why the registry could not be asked, in one sentence. */
  readonly problem?: string;
}

/** A driver that stands installed. */
export interface InstalledDriverInfo {
  readonly id: string;
  readonly packageName: string;
  readonly version: string;
  /** Whether new sessions use this version. */
  readonly current: boolean;
  readonly installedAt: string;
  readonly publisher: PublisherInfo;
}

/** How an installation goes on. The last event is `installed`; a failure ends the stream with an error. */
export type InstallProgress =
  | { readonly step: 'resolving' }
  | { readonly step: 'downloading'; readonly version: string; readonly receivedBytes: number; readonly totalBytes?: number }
  | { readonly step: 'verifying'; readonly version: string }
  | { readonly step: 'tryingOut'; readonly version: string }
  | { readonly step: 'installed'; readonly version: string; readonly milliseconds: number; readonly publisher: PublisherInfo };
