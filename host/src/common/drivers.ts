import { manifestSchema } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { consentGrantSchema } from './fixedOrigins.ts';
import { hostSentenceSchema, textOriginSchema } from './hostSentences.ts';
import type { Shape } from './shape.ts';

const grants = z.array(consentGrantSchema);
/** With the texts of the manifest in other languages, for the reasons of what a driver asks. */
const { permissions, translations } = manifestSchema.shape;

/** Whether a database type can be used now. */
export const driverStateSchema = z.enum(['notInstalled', 'installed', 'updateAvailable', 'cannotRun']);
export type DriverState = z.output<typeof driverStateSchema>;

/** Where the trust in a publisher comes from; `developerFolder` isn't trust: a person chose a folder. */
export const publisherOriginSchema = z.enum(['firstParty', 'localRegistry', 'thirdParty', 'developerFolder']);
export type PublisherOrigin = z.output<typeof publisherOriginSchema>;

/** The signer of a package. */
export const publisherSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** SHA-256 of the public key, in hexadecimal groups of four; empty for a developer folder, which isn't signed. */
  fingerprint: z.string(),
  origin: publisherOriginSchema,
});
export type PublisherInfo = Shape<typeof publisherSchema>;

/** A driver that another one can be taken for. */
export const resembledDriverSchema = z.object({ title: z.string(), packageName: z.string() });
export type ResembledDriver = Shape<typeof resembledDriverSchema>;

/** One database type in the connection chooser, known before its driver is installed. */
export const catalogueEntrySchema = z.object({
  id: z.string(),
  packageName: z.string(),
  manifest: manifestSchema,
  state: driverStateSchema,
  installedVersion: z.string().optional(),
  /** The newest version that this host can run. */
  availableVersion: z.string().optional(),
  /** Why a version cannot run here, and what to update. */
  reason: z.string().optional(),
  reasonOrigin: textOriginSchema.optional(),
  publisher: publisherSchema.optional(),
  /** A person switched it off. */
  disabled: z.boolean().optional(),
  /** The unsigned folder of a developer that it is loaded from. */
  developerFolder: z.string().optional(),
  /** A better known driver of another publisher, whose title or package name this one has or looks like. */
  resembles: resembledDriverSchema.optional(),
});
export type CatalogueEntry = Shape<typeof catalogueEntrySchema>;

/** The catalogue, and how old it is. */
export const catalogueSchema = z.object({
  entries: z.array(catalogueEntrySchema),
  /** When a registry last answered; absent when only the built-in list is known. */
  refreshedAt: z.string().optional(),
  /** Why the registry could not be asked, in one sentence. */
  problem: z.string().optional(),
  problemOrigin: textOriginSchema.optional(),
});
export type Catalogue = Shape<typeof catalogueSchema>;

/** An installed driver. */
export const installedDriverSchema = z.object({
  id: z.string(),
  packageName: z.string(),
  version: z.string(),
  /** Whether new sessions use this version. */
  current: z.boolean(),
  installedAt: z.string(),
  publisher: publisherSchema,
  /** The unsigned folder of a developer that it is loaded from. */
  developerFolder: z.string().optional(),
});
export type InstalledDriverInfo = Shape<typeof installedDriverSchema>;

/** The progress of an installation. The last event is `installed`; a failure ends the stream with an error. */
export const installProgressSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('resolving') }),
  z.object({
    step: z.literal('downloading'),
    version: z.string(),
    receivedBytes: z.number(),
    totalBytes: z.number().optional(),
  }),
  z.object({ step: z.literal('verifying'), version: z.string() }),
  z.object({ step: z.literal('tryingOut'), version: z.string() }),
  z.object({ step: z.literal('installed'), version: z.string(), milliseconds: z.number(), publisher: publisherSchema }),
]);
export type InstallProgress = Shape<typeof installProgressSchema>;

const askedDriver = z.object({ id: z.string(), title: z.string(), packageName: z.string() });

/** The question before a publisher is trusted: its name, its key, and the permissions of the driver. */
export const trustQuestionSchema = z.object({
  keyId: z.string(),
  fingerprint: z.string(),
  /** As the package names its publisher; unverified. */
  publisher: publisherSchema.pick({ id: true, name: true }),
  driver: askedDriver.extend({ version: z.string() }),
  permissions,
  translations,
  /** The signer of the installed version, where that is another key. */
  before: publisherSchema.optional(),
  /** A known publisher with another key, whose name this one has or looks like. */
  resembles: z.string().optional(),
  /** A better known driver of another package, whose title or package name this one has or looks like. */
  resemblesDriver: resembledDriverSchema.optional(),
});
export type TrustQuestion = Shape<typeof trustQuestionSchema>;

/** The question before a driver may leave the sandbox, for every signer. */
export const grantQuestionSchema = z.object({
  driver: askedDriver.extend({ version: z.string() }),
  publisher: publisherSchema,
  /** Goes back with the answer: whose driver the person was asked about. */
  askedBy: z.string(),
  /** All that this version asks for. */
  grants,
  /** Those of them that the person has not allowed yet. */
  missing: grants,
  permissions,
  translations,
});
export type GrantQuestion = Shape<typeof grantQuestionSchema>;

/** The question before an older version of a driver takes the place of the one in use. */
export const downgradeQuestionSchema = z.object({
  driver: askedDriver,
  /** The version in use. */
  from: z.string(),
  /** The older version that would take its place. */
  to: z.string(),
});
export type DowngradeQuestion = Shape<typeof downgradeQuestionSchema>;

/** A publisher's key as the settings list it. */
export const publisherKeySchema = publisherSchema.extend({
  keyId: z.string(),
  /** A known publisher with another key, whose name this one has or looks like. */
  resembles: z.string().optional(),
  addedAt: z.string().optional(),
  revokedAt: z.string().optional(),
});
export type PublisherKey = Shape<typeof publisherKeySchema>;

/** One version of a driver that is installed. */
export const installedVersionSchema = installedDriverSchema
  .pick({ version: true, current: true, installedAt: true, publisher: true })
  .extend({
    /** Names of the open connections that use it. */
    usedBy: z.array(z.string()),
    /** Why it was taken out of use, if it was. */
    refusedBecause: z.string().optional(),
    refusedBecauseOrigin: textOriginSchema.optional(),
  });
export type InstalledVersion = Shape<typeof installedVersionSchema>;

/** Everything about one driver, for the plug-in browser. */
export const driverOverviewSchema = catalogueEntrySchema.extend({
  versions: z.array(installedVersionSchema),
  pinned: z.string().optional(),
  /** The version that a roll-back would bring. */
  rollbackTo: z.string().optional(),
  /** A newer version is there and neither pinned away, disabled nor refused before. */
  updateOffered: z.boolean(),
  /** The reason why it doesn't work: a fault of the installed version, or the crash that took a new version out of use. */
  fault: z.string().optional(),
  faultOrigin: textOriginSchema.optional(),
  /** Permissions beyond the sandbox that a person has granted. */
  allowedGrants: grants,
  /** Open connections that still use another version than new ones would. */
  oldSessions: z.array(z.string()),
});
export type DriverOverview = Shape<typeof driverOverviewSchema>;

/** The plug-in browser's list. */
export const driversOverviewSchema = catalogueSchema.omit({ entries: true }).extend({
  drivers: z.array(driverOverviewSchema),
  offline: z.boolean(),
  /** The administrator's policy file, in sentences; empty without one. */
  policy: z.array(z.string()),
  policySentences: z.array(hostSentenceSchema),
  /** Why the kernel does not confine drivers on this computer, in one sentence; absent where it does. */
  kernelSandboxMissing: z.string().optional(),
  kernelSandboxSentence: hostSentenceSchema.optional(),
});
export type DriversOverview = Shape<typeof driversOverviewSchema>;

/** The facts about one driver beyond its line in the list. */
export const driverDetailsSchema = z.object({
  id: z.string(),
  /** Markdown, of the installed version or of the newest that is offered. */
  readme: z.string().optional(),
  /** Markdown, of the installed version: registries have no changelogs. */
  changelog: z.string().optional(),
  /** Where the files of the package can be read on the web: the relative links of both texts begin there. */
  source: z.string().optional(),
  /** Bytes on disk, or unpacked as the registry says. */
  size: z.number().optional(),
  /** The size is what a registry states, before any download; the files of a platform come on top of it. */
  sizeClaimed: z.object({ withPlatformFiles: z.boolean() }).optional(),
  /** The maker of the newest version that a registry offers, as the package says of itself; unverified. */
  author: z.string().optional(),
  /** Why the kernel does not confine drivers on this computer, in one sentence; absent where it does. */
  kernelSandboxMissing: z.string().optional(),
  kernelSandboxSentence: hostSentenceSchema.optional(),
  /** Every version that a registry offers, newest first. */
  offered: z.array(
    z.object({
      version: z.string(),
      contract: z.string(),
      reason: z.string().optional(),
      reasonOrigin: textOriginSchema.optional(),
    }),
  ),
});
export type DriverDetails = Shape<typeof driverDetailsSchema>;

/** The facts about a registry's signed catalogue. */
export const catalogueInfoSchema = z.object({
  /** `unsigned`: no signed catalogue was ever seen there; the signatures of the packages alone count. */
  state: z.enum(['signed', 'unsigned']),
  /** SHA-256 of its first root, in hexadecimal groups of four. */
  fingerprint: z.string().optional(),
  /** Counts up with each change. */
  version: z.number().optional(),
  /** When its signatures end, ISO. */
  expiresAt: z.string().optional(),
  /** The error of the last request to the registry. */
  problem: z.string().optional(),
  problemOrigin: textOriginSchema.optional(),
});
export type CatalogueInfo = Shape<typeof catalogueInfoSchema>;

/** A registry that drivers come from. */
export const registrySchema = z.object({
  url: z.string(),
  name: z.string(),
  /** Asked only for packages of these scopes, which come from no other registry; empty: for all. */
  scopes: z.array(z.string()),
  /** Packages to look for where the registry has no search. */
  packages: z.array(z.string()),
  /** Origins beside its own that archives may come from. */
  downloadOrigins: z.array(z.string()),
  catalogue: catalogueInfoSchema,
  hasCredential: z.boolean(),
  /** `settings` can be changed here; others come from the environment or run on this machine. */
  from: z.enum(['settings', 'environment', 'thisMachine']),
});
export type RegistryInfo = Shape<typeof registrySchema>;

/** An installed driver as an archive for another machine. */
export const bundledDriverSchema = z.object({
  /** Absolute. */
  file: z.string(),
  bytes: z.number(),
});

/** A database type's manifest, so that its form can be read from a command line. */
export const driverFormSchema = z.object({ manifest: manifestSchema });
