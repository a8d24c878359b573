import { z } from 'zod';
import { hiddenCharacter } from '../model/visibleText.ts';

/** The file inside a package that signs all others. */
export const SIGNATURE_FILE = 'tabularium.signature.json';

/** The version of the signature's form that this SDK writes and reads. */
export const SIGNATURE_FORMAT = 1;

/** The largest signature file that is read. */
export const MAX_SIGNATURE_BYTES = 64 * 1024;

/** A publisher's id: lower-case letters, digits, hyphens and dots. */
export const publisherIdSchema = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,99}$/);
/** A publisher's name. No control and no formatting characters: a name is shown to people who decide by it. */
export const publisherNameSchema = z
  .string()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u)
  .refine((name) => hiddenCharacter(name) === undefined, 'The name holds a character that people cannot see.');
const keyIdSchema = z.string().regex(/^[0-9a-f]{64}$/);
const base64Schema = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);

/** The content of {@link SIGNATURE_FILE}. */
export const packageSignatureSchema = z.strictObject({
  formatVersion: z.literal(SIGNATURE_FORMAT),
  publisher: z.strictObject({ id: publisherIdSchema, name: publisherNameSchema }),
  keyId: keyIdSchema,
  publicKey: base64Schema.length(44),
  package: z.strictObject({ name: z.string().min(1).max(214), version: z.string().min(1).max(100) }),
  /** SHA-512 of every file but this one, by path. */
  files: z.record(z.string(), z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/)),
  signature: base64Schema.length(88),
});

/** The content of {@link SIGNATURE_FILE}. */
export type PackageSignature = z.output<typeof packageSignatureSchema>;

/** The prefix of the signed bytes, so that a signature made for another purpose never fits a package. */
const DOMAIN = 'tabularium driver package signature 1\n';

/**
 * The bytes that are signed: one line of JSON, an array in fixed order with the files sorted by code unit, so that nothing depends on
 * how the signature file itself is written.
 */
export function signedBytes(signature: Omit<PackageSignature, 'signature'>): Uint8Array<ArrayBuffer> {
  const files = Object.entries(signature.files).sort(([a], [b]) => (a < b ? -1 : 1));
  const { formatVersion, publisher, keyId, publicKey } = signature;
  const content = [
    formatVersion,
    [publisher.id, publisher.name],
    keyId,
    publicKey,
    [signature.package.name, signature.package.version],
    files,
  ];
  return new TextEncoder().encode(DOMAIN + JSON.stringify(content));
}
