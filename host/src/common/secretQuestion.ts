import { z } from 'zod';
import { secretReferenceSchema } from './connection.ts';
import type { Shape } from './shape.ts';

const protection = z.enum(['plain', 'none', 'chain', 'identity']);

/**
 * Where a stored secret goes and how: whatever of this changes, a person is asked before the secret is used again. Texts come from the
 * manifest, the form and the trusted key; none is a secret.
 */
export const secretReachSchema = z.strictObject({
  /** The database type. */
  driver: z.string(),
  /** The fingerprint of the key that signed the driver, or the folder that an unsigned one is loaded from; empty: not installed yet. */
  publisher: z.string(),
  /** Every origin that may get the secret, such as `https://db.example:8108`. */
  origins: z.array(z.string()),
  /** How far the server's certificate is checked; `plain`: the connection is not encrypted. */
  verification: protection,
  /** The file with the only authority that is trusted; empty: those of the system. */
  authorityFile: z.string(),
  /** The headers that carry the secret, with the text before it, such as `authorization: Bearer `, in order of their names; or {@link GIVEN_TO_DRIVER}. */
  sentAs: z.array(z.string()),
  /** Permissions of the driver beyond its sandbox. */
  grants: z.array(z.string()),
  /** The SSH server or proxy on the way to the origins, such as `ssh://ada@bastion.example:22`; absent: none. */
  through: z.string().optional(),
  /** How each further origin that gets the secret is protected, and how it gets it; absent: none gets it. */
  further: z
    .array(
      z.strictObject({
        origin: z.string(),
        verification: protection,
        authorityFile: z.string(),
        sentAs: z.array(z.string()),
      }),
    )
    .optional(),
});
export type SecretReach = Shape<typeof secretReachSchema>;

/** In {@link SecretReach.sentAs} the mark of a secret that the driver itself gets, to sign in with it. No header begins so. */
export const GIVEN_TO_DRIVER = '(driver)';

/** In {@link SecretReach.sentAs} the mark of a secret that Tabularium signs in with at the SSH server or proxy. */
export const SIGN_IN_ON_THE_WAY = '(way)';
/** In {@link SecretReach.sentAs} the mark of a passphrase, which is sent nowhere; the file follows. */
export const DECRYPTS = '(decrypts) ';

/** One side of a change, as a person sees it. */
export const secretSideSchema = z.strictObject({
  ...secretReachSchema.shape,
  /** The publisher's name as the key was trusted. */
  publisherName: z.string(),
  from: secretReferenceSchema,
});
export type SecretSide = Shape<typeof secretSideSchema>;

/** One secret that would go elsewhere, or otherwise, than it was entered for. */
export const changedSecretSchema = z.strictObject({
  field: z.string(),
  label: z.string(),
  /** Absent: nothing that can be relied on says what it was entered for. */
  before: secretSideSchema.optional(),
  now: secretSideSchema,
});
export type ChangedSecret = Shape<typeof changedSecretSchema>;

/** Where one origin of a connection is, and how it is protected. */
export const originPlaceSchema = z.strictObject({
  /** Such as `https://db.example:8108`; several for the nodes of a cluster. */
  origins: z.array(z.string()),
  verification: protection,
});
export type OriginPlace = Shape<typeof originPlaceSchema>;

/** An address that a driver would reach with a connection, and that a person has neither entered nor confirmed for it. */
export const newOriginSchema = z.strictObject({
  /** As the manifest names it; empty: the first origin. */
  id: z.string(),
  /** The driver's name for it, and why it needs it; empty for the first origin. */
  label: z.string(),
  reason: z.string(),
  /** The address that was entered or confirmed; absent: none was. */
  before: originPlaceSchema.optional(),
  now: originPlaceSchema,
});
export type NewOrigin = Shape<typeof newOriginSchema>;

/** The use of a file, chosen in the form, that a driver may make. */
export const fileAccessSchema = z.enum(['read', 'readWrite']);
export type FileAccess = Shape<typeof fileAccessSchema>;

/** A file that a driver would read, or change, without a person having chosen it for that. */
export const newFileSchema = z.strictObject({
  field: z.string(),
  label: z.string(),
  path: z.string(),
  /** Why the driver needs it. */
  reason: z.string(),
  /** Absent: the driver didn't get the file. */
  before: fileAccessSchema.optional(),
  now: fileAccessSchema,
});
export type NewFile = Shape<typeof newFileSchema>;

/** An answer to a {@link SecretQuestion}. */
export const confirmationCodeSchema = z.string().regex(/^[0-9a-f]{32}$/, 'A confirmation code has 32 hexadecimal digits.');

/** The question before a connection sends its secrets again, or its driver reaches an address or a file that no person has entered for that. */
export const secretQuestionSchema = z.strictObject({
  /** Absent while the connection is not saved. */
  connectionId: z.string().optional(),
  connection: z.string(),
  driver: z.strictObject({ title: z.string(), version: z.string().optional() }),
  changes: z.array(changedSecretSchema),
  /** Absent: none. */
  newOrigins: z.array(newOriginSchema).optional(),
  /** Absent: none. */
  newFiles: z.array(newFileSchema).optional(),
  /** The driver tried to send a credential to an origin that it isn't for. */
  isDistrusted: z.literal(true).optional(),
  /** Names exactly what is shown here: an answer that carries it never covers a later change. */
  code: confirmationCodeSchema,
});
export type SecretQuestion = Shape<typeof secretQuestionSchema>;

/** The facts that can differ between the two sides, in the order in which a person reads it. */
export const SECRET_ASPECTS = [
  'origins',
  'through',
  'verification',
  'authorityFile',
  'sentAs',
  'further',
  'from',
  'driver',
  'publisher',
  'grants',
] as const;
export type SecretAspect = (typeof SECRET_ASPECTS)[number];

/** Whether an aspect is the same on both sides; with one side alone, every aspect is new. */
export function isChanged({ before, now }: ChangedSecret, aspect: SecretAspect): boolean {
  return before === undefined || JSON.stringify(before[aspect]) !== JSON.stringify(now[aspect]);
}
