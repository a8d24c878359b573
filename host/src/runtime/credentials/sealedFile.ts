import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/**
 * The version of the format: scrypt makes two keys of the passphrase, one for AES-256-GCM and one that proves the passphrase. The head is
 * authenticated with the content.
 */
const VERSION = 1;
/** 128 MB and about half a second for each guess. */
const SCRYPT = { N: 131_072, r: 8, p: 1 };
const SCRYPT_MEMORY_BYTES = 160 * 1024 * 1024;
const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** Thousands of entries. */
export const LARGEST_SEALED_BYTES = 16 * 1024 * 1024;

const bytes = (count: number): z.ZodType<Buffer, string> =>
  z
    .string()
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((value) => value.length === count);

const sealedSchema = z.strictObject({
  format: z.literal('tabularium-secrets'),
  version: z.literal(VERSION),
  kdf: z.strictObject({ name: z.literal('scrypt'), N: z.literal(SCRYPT.N), r: z.literal(SCRYPT.r), p: z.literal(SCRYPT.p) }),
  cipher: z.literal('aes-256-gcm'),
  salt: bytes(SALT_BYTES),
  /** Proves the passphrase: without it a wrong one would look like a damaged file. */
  proof: bytes(KEY_BYTES),
  nonce: bytes(NONCE_BYTES),
  tag: bytes(TAG_BYTES),
  data: z
    .string()
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
    .transform((text) => Buffer.from(text, 'base64')),
});
const versionSchema = z.object({ format: z.literal('tabularium-secrets'), version: z.number().int().gt(VERSION) });
const entriesSchema = z.record(z.string(), z.string());

/** The keys that a passphrase and the salt of one file give. */
export interface SealingKeys {
  readonly salt: Buffer;
  readonly cipherKey: Buffer;
  readonly proof: Buffer;
}

/** Why a sealed file was refused. */
export class SealError extends Error {
  override readonly name = 'SealError';
  readonly fault: 'wrongKey' | 'damaged' | 'newer';

  constructor(fault: SealError['fault']) {
    super(`The sealed file was refused: ${fault}.`);
    this.fault = fault;
  }
}

/** Takes about half a second of another thread. */
export function sealingKeys(passphrase: Buffer, salt: Buffer = randomBytes(SALT_BYTES)): Promise<SealingKeys> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, 2 * KEY_BYTES, { ...SCRYPT, maxmem: SCRYPT_MEMORY_BYTES }, (error, derived) => {
      if (error !== null) return reject(error);
      const proof = createHmac('sha256', derived.subarray(KEY_BYTES)).update('tabularium-secrets proof').digest();
      resolve({ salt, cipherKey: derived.subarray(0, KEY_BYTES), proof });
    });
  });
}

/** Entries as the text of a file. Each call takes another nonce. */
export function seal(entries: ReadonlyMap<string, string>, keys: SealingKeys): string {
  const head = headOf(keys);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keys.cipherKey, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(JSON.stringify(head)));
  const data = Buffer.concat([cipher.update(JSON.stringify(Object.fromEntries(entries)), 'utf8'), cipher.final()]);
  const text = (value: Buffer): string => value.toString('base64');
  return `${JSON.stringify({ ...head, nonce: text(nonce), tag: text(cipher.getAuthTag()), data: text(data) })}\n`;
}

/**
 * The entries of a file's text.
 *
 * @param keysFor - the keys for the salt of the file
 * @throws SealError for another passphrase, and for anything that was changed, cut or added
 */
export async function unseal(
  text: string,
  keysFor: (salt: Buffer) => Promise<SealingKeys>,
): Promise<{ readonly entries: Map<string, string>; readonly keys: SealingKeys }> {
  const json = toJson(text);
  if (versionSchema.safeParse(json).success) throw new SealError('newer');
  const parsed = sealedSchema.safeParse(json);
  if (!parsed.success) throw new SealError('damaged');
  const { salt, proof, nonce, tag, data } = parsed.data;
  const keys = await keysFor(salt);
  if (!timingSafeEqual(proof, keys.proof)) throw new SealError('wrongKey');
  try {
    const decipher = createDecipheriv('aes-256-gcm', keys.cipherKey, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(JSON.stringify(headOf(keys))));
    decipher.setAuthTag(tag);
    const opened = Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8');
    return { entries: new Map(Object.entries(entriesSchema.parse(JSON.parse(opened)))), keys };
  } catch {
    // Without the cause, which may quote what was opened.
    throw new SealError('damaged');
  }
}

function headOf({ salt, proof }: SealingKeys): object {
  return {
    format: 'tabularium-secrets',
    version: VERSION,
    kdf: { name: 'scrypt', ...SCRYPT },
    cipher: 'aes-256-gcm',
    salt: salt.toString('base64'),
    proof: proof.toString('base64'),
  };
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
