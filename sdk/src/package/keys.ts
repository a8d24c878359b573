import { webCryptography } from './cryptography.ts';
import type { PackageCryptography } from './cryptography.ts';
import { fromBase64, toBase64, toHex } from './encoding.ts';

/** A publisher, as people see it. */
export interface Publisher {
  /** Lower-case letters, digits, hyphens and dots. */
  readonly id: string;
  readonly name: string;
}

/** An Ed25519 key pair. Its holder can sign packages in the publisher's name: keep it readable to its owner alone. */
export interface SigningKey {
  /** PKCS#8, base64. */
  readonly privateKey: string;
  /** The raw 32 bytes, base64. */
  readonly publicKey: string;
}

const ALGORITHM = { name: 'Ed25519' } as const;

/** The length of a raw Ed25519 public key. */
const PUBLIC_KEY_BYTES = 32;

/** The raw bytes of a public key, or undefined for what is none. */
function publicKeyBytes(publicKey: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = fromBase64(publicKey);
  return bytes?.length === PUBLIC_KEY_BYTES ? bytes : undefined;
}

/** Makes a new key pair. */
export async function createSigningKey(): Promise<SigningKey> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  // The declarations of some runtimes name the union with symmetric keys.
  if (!('privateKey' in pair)) throw new TypeError('Ed25519 did not give a key pair.');
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
    crypto.subtle.exportKey('raw', pair.publicKey),
  ]);
  return { privateKey: toBase64(new Uint8Array(privateKey)), publicKey: toBase64(new Uint8Array(publicKey)) };
}

/**
 * The name of a key: SHA-256 of its raw public part, hexadecimal.
 *
 * @throws TypeError when `publicKey` is not 32 bytes in base64
 */
export async function keyIdOf(
  publicKey: string,
  cryptography: Pick<PackageCryptography, 'sha256'> = webCryptography,
): Promise<string> {
  const bytes = publicKeyBytes(publicKey);
  if (bytes === undefined) throw new TypeError('The public key is not 32 bytes in base64.');
  return toHex(await cryptography.sha256(bytes));
}

/** A key's name as people compare it: groups of four. */
export function fingerprintOf(keyId: string): string {
  return keyId.match(/.{1,4}/g)?.join(' ') ?? '';
}

export async function signBytes(bytes: Uint8Array<ArrayBuffer>, key: SigningKey): Promise<string> {
  const pkcs8 = fromBase64(key.privateKey);
  if (pkcs8 === undefined) throw new TypeError('The private key is not PKCS#8 in base64.');
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']);
  return toBase64(new Uint8Array(await crypto.subtle.sign(ALGORITHM, privateKey, bytes)));
}

/** Whether `signature` is `publicKey`'s over `bytes`. False for anything malformed. */
export async function isSignedBy(
  publicKey: string,
  signature: string,
  bytes: Uint8Array<ArrayBuffer>,
  cryptography: Pick<PackageCryptography, 'verifyEd25519'> = webCryptography,
): Promise<boolean> {
  const key = publicKeyBytes(publicKey);
  const raw = fromBase64(signature);
  if (key === undefined || raw === undefined) return false;
  try {
    return await cryptography.verifyEd25519(key, raw, bytes);
  } catch {
    // A point that is not on the curve does not import.
    return false;
  }
}
