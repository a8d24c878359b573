import type { Manifest, Permissions, WiderGrant } from '@tabularium/sdk/manifest';

/** Whether a database type can be used now. */
export type DriverState = 'notInstalled' | 'installed' | 'updateAvailable' | 'cannotRun';

/** Where the trust in a publisher comes from; `developerFolder` is no trust at all, but a person's choice of a folder. */
export type PublisherOrigin = 'firstParty' | 'localRegistry' | 'thirdParty' | 'developerFolder';

/** Who signed a package. */
export interface PublisherInfo {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the public key, in hexadecimal groups of four; empty for a developer folder, which nobody signed. */
  readonly fingerprint: string;
  readonly origin: PublisherOrigin;
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
  /** A person switched it off. */
  readonly disabled?: boolean;
  /** The unsigned folder of a developer that it is loaded from. */
  readonly developerFolder?: string;
  /** A better known driver of another publisher, whose title or package name this one has or looks like. */
  readonly resembles?: ResembledDriver;
}

/** A driver that another one can be taken for. */
export interface ResembledDriver {
  readonly title: string;
  readonly packageName: string;
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
  /** The unsigned folder of a developer that it is loaded from. */
  readonly developerFolder?: string;
}

/** How an installation goes on. The last event is `installed`; a failure ends the stream with an error. */
export type InstallProgress =
  | { readonly step: 'resolving' }
  | { readonly step: 'downloading'; readonly version: string; readonly receivedBytes: number; readonly totalBytes?: number }
  | { readonly step: 'verifying'; readonly version: string }
  | { readonly step: 'tryingOut'; readonly version: string }
  | { readonly step: 'installed'; readonly version: string; readonly milliseconds: number; readonly publisher: PublisherInfo };

/** What a person is asked before a publisher is trusted: who it is, by which key, and what the driver wants. */
export interface TrustQuestion {
  readonly keyId: string;
  readonly fingerprint: string;
  /** As the package names its publisher; nobody has checked that. */
  readonly publisher: { readonly id: string; readonly name: string };
  readonly driver: { readonly id: string; readonly title: string; readonly packageName: string; readonly version: string };
  readonly permissions: Permissions;
  /** Who signed the version that is installed, where that is another key. */
  readonly before?: PublisherInfo;
  /** A known publisher with another key, whose name this one has or looks like. */
  readonly resembles?: string;
  /** A better known driver of another package, whose title or package name this one has or looks like. */
  readonly resemblesDriver?: ResembledDriver;
}

/** What a person is asked before a driver may leave the sandbox, whoever signed it. */
export interface GrantQuestion {
  readonly driver: { readonly id: string; readonly title: string; readonly packageName: string; readonly version: string };
  readonly publisher: PublisherInfo;
  /** Goes back with the answer: whose driver the person was asked about. */
  readonly askedBy: string;
  /** All that this version asks for. */
  readonly grants: readonly WiderGrant[];
  /** Those of them that the person has not allowed yet. */
  readonly missing: readonly WiderGrant[];
  readonly permissions: Permissions;
}

/** What a person is asked before an older version of a driver takes the place of the one in use. */
export interface DowngradeQuestion {
  readonly driver: { readonly id: string; readonly title: string; readonly packageName: string };
  /** The version in use. */
  readonly from: string;
  /** The older version that would take its place. */
  readonly to: string;
}

/** A publisher's key as the settings list it. */
export interface PublisherKey extends PublisherInfo {
  readonly keyId: string;
  /** A known publisher with another key, whose name this one has or looks like. */
  readonly resembles?: string;
  readonly addedAt?: string;
  readonly revokedAt?: string;
}

/** One version of a driver that is installed. */
export interface InstalledVersion {
  readonly version: string;
  readonly current: boolean;
  readonly installedAt: string;
  readonly publisher: PublisherInfo;
  /** Names of the open connections that use it. */
  readonly usedBy: readonly string[];
  /** Why it was taken out of use, if it was. */
  readonly refusedBecause?: string;
}

/** Everything about one driver, for the plug-in browser. */
export interface DriverOverview extends CatalogueEntry {
  readonly versions: readonly InstalledVersion[];
  readonly pinned?: string;
  /** The version that a roll-back would bring. */
  readonly rollbackTo?: string;
  /** A newer version is there and neither pinned away, disabled nor refused before. */
  readonly updateWaits: boolean;
  /** What keeps it from working: a fault of the installed version, or the crash that took a new version out of use. */
  readonly fault?: string;
  /** What a person has allowed it beyond the sandbox. */
  readonly allowedGrants: readonly WiderGrant[];
  /** Open connections that still use another version than new ones would. */
  readonly oldSessions: readonly string[];
}

/** The plug-in browser's list. */
export interface DriversOverview {
  readonly drivers: readonly DriverOverview[];
  readonly refreshedAt?: string;
  readonly problem?: string;
  readonly offline: boolean;
  /** What the administrator's policy file says, in sentences; empty without one. */
  readonly policy: readonly string[];
  /** Why the kernel does not confine drivers on this computer, in one sentence; absent where it does. */
  readonly kernelSandboxMissing?: string;
}

/** What is known of one driver beyond its line in the list. */
export interface DriverDetails {
  readonly id: string;
  /** Markdown, of the installed version or of the newest that is offered. */
  readonly readme?: string;
  /** Bytes on disk, or unpacked as the registry says. */
  readonly size?: number;
  /** Why the kernel does not confine drivers on this computer, in one sentence; absent where it does. */
  readonly kernelSandboxMissing?: string;
  /** Every version that a registry offers, newest first. */
  readonly offered: readonly { readonly version: string; readonly contract: string; readonly reason?: string }[];
}

/** What is known of a registry's signed catalogue. */
export interface CatalogueInfo {
  /** `unsigned`: no signed catalogue was ever seen there; the signatures of the packages alone count. */
  readonly state: 'signed' | 'unsigned';
  /** SHA-256 of its first root, in hexadecimal groups of four. */
  readonly fingerprint?: string;
  /** Counts up with each change. */
  readonly version?: number;
  /** When its signatures end, ISO. */
  readonly expiresAt?: string;
  /** What was wrong when the registry was last asked. */
  readonly problem?: string;
}

/** A registry that drivers come from. */
export interface RegistryInfo {
  readonly url: string;
  readonly name: string;
  /** Asked only for packages of these scopes, and they of nobody else; empty: for all. */
  readonly scopes: readonly string[];
  /** Packages to look for where the registry has no search. */
  readonly packages: readonly string[];
  /** Origins beside its own that archives may come from. */
  readonly downloadOrigins: readonly string[];
  readonly catalogue: CatalogueInfo;
  readonly hasCredential: boolean;
  /** `settings` can be changed here; others come from the environment or run on this machine. */
  readonly from: 'settings' | 'environment' | 'thisMachine';
}
