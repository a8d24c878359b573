import { CONSENT_GRANTS } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { consentGrantSchema } from './fixedOrigins.ts';

// Requests of the window about drivers. Every input is checked against its schema on arrival.

/** Those with a name, and some addresses. */
const MOST_GRANTS = CONSENT_GRANTS.length + 10;

const driver = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,39}$/,
    'The id of a driver has 1 to 40 lower-case letters, digits and hyphens, and begins with a letter.',
  );
const version = z.string().min(1).max(80);
const url = z.url({ protocol: /^https?$/ }).max(400);

export const driverSchema = z.object({ driver });
/** A person's consent to an older version: to that version alone, or (true) to whatever the call names. */
export const downgradeConsentSchema = z.union([z.boolean(), version]).optional();
export type DowngradeConsent = NonNullable<z.output<typeof downgradeConsentSchema>>;
/** Without a version: the one in use. */
export const pinSchema = z.object({ driver, version: version.optional(), allowDowngrade: downgradeConsentSchema });
export const keySchema = z.object({ keyId: z.string().regex(/^[0-9a-f]{64}$/) });
/** The publisher as the person was shown it: a key may give itself another name meanwhile. */
export const trustSchema = keySchema.extend({ shown: z.object({ id: z.string(), name: z.string() }).optional() });
export const allowGrantsSchema = z.object({
  driver,
  grants: z.array(consentGrantSchema).min(1).max(MOST_GRANTS),
  /** Of the question that is answered (see `GrantQuestion`). */
  askedBy: z.string().max(4_200).optional(),
});
/** Empty where nothing was allowed. */
export const withdrawnGrantsSchema = z.object({ withdrawn: z.array(consentGrantSchema) });
export const folderSchema = z.object({ folder: z.string().min(1).max(4_000) });
export const fileSchema = z.object({ file: z.string().min(1).max(4_000), allowDowngrade: downgradeConsentSchema });
export const registryInputSchema = z.object({
  url,
  name: z.string().min(1).max(80).optional(),
  scopes: z
    .array(z.string().regex(/^@[a-z0-9~-][a-z0-9._~-]*$/, 'A scope looks like @acme.'))
    .max(20)
    .default([]),
  packages: z.array(z.string().min(1).max(214)).max(200).default([]),
  /** Origins beside its own that archives may come from. Left out: as they were. */
  downloadOrigins: z.array(url).max(20).optional(),
  /** Of the registry's signed catalogue, which has to match: SHA-256, hexadecimal. */
  catalogueFingerprint: z
    .string()
    .max(200)
    .transform((text) => text.replaceAll(/\s/g, '').toLowerCase())
    .refine((text) => /^[0-9a-f]{64}$/.test(text), 'A fingerprint has 64 hexadecimal digits.')
    .optional(),
  /** A token; kept in the secure store. Left out: as it was. Empty: forgotten. */
  token: z.string().max(4_000).optional(),
});
export type RegistryInput = z.output<typeof registryInputSchema>;
export const registryUrlSchema = z.object({ url });
/** How registries are reached. */
export const driverNetworkSchema = z.object({
  offline: z.boolean().default(false),
  /** Empty: what the environment says. */
  proxy: z.union([z.literal(''), url]).default(''),
  /** A file of further certificate authorities, PEM. */
  certificateAuthorityFile: z.string().max(4_000).default(''),
});
export type DriverNetwork = Readonly<z.output<typeof driverNetworkSchema>>;

/**
 * `POST /api/driver-file`: installs the archive that is the body, for a file that was dropped on the window or picked there. Answers with
 * `InstalledDriverInfo`; an error has a status of 400 or above and an `ErrorReport`, both as JSON.
 */
export const DRIVER_FILE_PATH = '/api/driver-file';
/** `GET /api/driver-file?driver=…[&version=…]`: an installed driver as an archive for another machine. */
export const driverFileQuerySchema = z.object({
  /** With POST: the older version that a person has agreed to. */
  allowDowngrade: version.optional(),
  name: z.string().max(200).optional(),
  driver: driver.optional(),
  version: version.optional(),
});
