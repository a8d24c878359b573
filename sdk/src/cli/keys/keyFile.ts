import { createPrivateKey, createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { publisherIdSchema, publisherNameSchema } from '../../package/signature.ts';
import type { Publisher, SigningKey } from '../../package/keys.ts';
import { CliError } from '../cliError.ts';

/** The facts about a key that need no passphrase. */
export interface KeyFacts {
  readonly publisher: Publisher;
  /** The raw 32 bytes, base64. */
  readonly publicKey: string;
  readonly createdAt: string;
  /** `file`: in its own file, encrypted; `system`: in the operating system's store. */
  readonly keptIn: 'file' | 'system';
}

const HEADERS = { id: 'Publisher-Id', name: 'Publisher-Name', publicKey: 'Public-Key', createdAt: 'Created', keptIn: 'Kept-In' };
const factsSchema = z.object({
  id: publisherIdSchema,
  name: publisherNameSchema,
  publicKey: z.base64().length(44),
  createdAt: z.iso.datetime(),
  keptIn: z.enum(['file', 'system']),
});
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----[\s\S]+-----END ENCRYPTED PRIVATE KEY-----/;
/** Ed25519 keys as DER are these bytes and then the raw key. */
const PUBLIC_DER_PREFIX_BYTES = 12;

/**
 * A key file: who the key belongs to, as lines, and then the private key as encrypted PKCS#8 in PEM, which OpenSSL reads as it is (it passes
 * over the lines before).
 */
export function writeKeyFile(facts: KeyFacts, encrypted: string | undefined): string {
  const values = { ...facts.publisher, publicKey: facts.publicKey, createdAt: facts.createdAt, keptIn: facts.keptIn };
  const lines = Object.entries(HEADERS).map(([name, header]) => `${header}: ${values[name as keyof typeof HEADERS]}`);
  return `${lines.join('\n')}\n${encrypted === undefined ? '' : `\n${encrypted.trim()}\n`}`;
}

/** @returns undefined for bytes that aren't a key file */
export function readKeyFile(text: string): { readonly facts: KeyFacts; readonly encrypted: string | undefined } | undefined {
  const lines = text.split(/\r?\n/);
  const values = Object.fromEntries(
    Object.entries(HEADERS).map(([name, header]) => [
      name,
      lines.find((line) => line.startsWith(`${header}: `))?.slice(header.length + 2),
    ]),
  );
  const parsed = factsSchema.safeParse(values);
  if (!parsed.success) return undefined;
  const { id, name, publicKey, createdAt, keptIn } = parsed.data;
  const encrypted = ENCRYPTED.exec(text)?.[0];
  if (keptIn === 'file' && encrypted === undefined) return undefined;
  return { facts: { publisher: { id, name }, publicKey, createdAt, keptIn }, encrypted };
}

/** The private key as encrypted PEM: PKCS#8, PBES2 with AES-256. */
export function encryptKey(key: SigningKey, passphrase: string): string {
  const privateKey = createPrivateKey({ key: Buffer.from(key.privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  return String(privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }));
}

/** @throws CliError `KEY_UNREADABLE` for a wrong passphrase, or a key that is not the one that its file names */
export function decryptKey(encrypted: string, passphrase: string, facts: KeyFacts): SigningKey {
  let privateKey;
  try {
    privateKey = createPrivateKey({ key: encrypted, format: 'pem', passphrase });
  } catch {
    // Without the cause, because OpenSSL might quote its input.
    throw new CliError(
      'KEY_UNREADABLE',
      `The key of "${facts.publisher.id}" cannot be opened: the passphrase is wrong, or the file is damaged.`,
      'Try again, or bring the file back from a copy.',
    );
  }
  return checkedKey(privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'), facts);
}

/** A private key whose public part is the one that was promised. */
export function checkedKey(privateKey: string, facts: KeyFacts): SigningKey {
  const wrong = (): CliError =>
    new CliError(
      'KEY_UNREADABLE',
      `The key of "${facts.publisher.id}" is not the one that its file names.`,
      'Somebody changed the file, or the entry in the store. Bring the key back from a copy.',
    );
  let publicKey: string;
  try {
    const pair = createPublicKey(createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' }));
    publicKey = pair.export({ type: 'spki', format: 'der' }).subarray(PUBLIC_DER_PREFIX_BYTES).toString('base64');
  } catch {
    throw wrong();
  }
  if (publicKey !== facts.publicKey) throw wrong();
  return { privateKey, publicKey };
}
