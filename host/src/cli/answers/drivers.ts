import { manifestSchema } from '@tabularium/sdk/manifest';
import { z } from 'zod';

// What hosts answer about drivers, as this version understands it.

export const publisherSchema = z.object({
  id: z.string(),
  name: z.string(),
  fingerprint: z.string(),
  origin: z.enum(['firstParty', 'localRegistry', 'thirdParty', 'developerFolder']),
});

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
export type ToldProgress = z.output<typeof installProgressSchema>;

export const installedDriverSchema = z.object({
  id: z.string(),
  packageName: z.string(),
  version: z.string(),
  current: z.boolean(),
  installedAt: z.string(),
  publisher: publisherSchema,
  developerFolder: z.string().optional(),
});

export const bundledDriverSchema = z.object({ file: z.string(), bytes: z.number() });
export const driverFormSchema = z.object({ manifest: manifestSchema });

/** What was chosen about each installed driver, and what is wrong with it. */
export const overviewSchema = z.object({
  drivers: z.array(
    z.object({
      id: z.string(),
      pinned: z.string().optional(),
      disabled: z.boolean().optional(),
      fault: z.string().optional(),
      oldSessions: z.array(z.string()),
      versions: z.array(z.object({ version: z.string(), usedBy: z.array(z.string()), refusedBecause: z.string().optional() })),
    }),
  ),
  kernelSandboxMissing: z.string().optional(),
});

export const publisherKeySchema = publisherSchema.extend({
  keyId: z.string(),
  /** A known publisher with another key, whose name this one has or looks like. */
  resembles: z.string().optional(),
  addedAt: z.string().optional(),
  revokedAt: z.string().optional(),
});

const catalogueInfoSchema = z.object({
  state: z.enum(['signed', 'unsigned']),
  fingerprint: z.string().optional(),
  version: z.number().optional(),
  expiresAt: z.string().optional(),
  problem: z.string().optional(),
});

export const registrySchema = z.object({
  url: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  packages: z.array(z.string()),
  downloadOrigins: z.array(z.string()),
  catalogue: catalogueInfoSchema,
  hasCredential: z.boolean(),
  from: z.enum(['settings', 'environment', 'thisMachine']),
});
export type ListedRegistry = z.output<typeof registrySchema>;

/** What registries offer, as far as it is shown. */
export const catalogueSchema = z.object({
  entries: z.array(
    z.object({
      id: z.string(),
      packageName: z.string(),
      manifest: z.object({ title: z.string(), tagline: z.string(), category: z.string() }),
      state: z.enum(['notInstalled', 'installed', 'updateAvailable', 'cannotRun']),
      installedVersion: z.string().optional(),
      availableVersion: z.string().optional(),
      reason: z.string().optional(),
      resembles: z.object({ title: z.string(), packageName: z.string() }).optional(),
    }),
  ),
  refreshedAt: z.string().optional(),
  problem: z.string().optional(),
});
export type OfferedEntry = z.output<typeof catalogueSchema>['entries'][number];
