import { createPrivateKey } from 'node:crypto';

/** Longer than any PEM block of a private key, its headers included. */
const LONGEST_BLOCK = 32 * 1024;
/** A file that is a key and nothing else is smaller. */
const LARGEST_KEY_FILE = 64 * 1024;

/**
 * A whole block: libraries that read keys contain the first line as a constant, and no key after it.
 * Headers are those of OpenSSL's older form and of OpenPGP.
 */
const PEM =
  /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY( BLOCK)?-----[ \t]*\r?\n(?:[A-Za-z-]{1,40}: [^\r\n]{0,400}\r?\n)*(?:[ \t]*\r?\n)?(?:[A-Za-z0-9+/=]{1,200}[ \t]*\r?\n)+-----END \1PRIVATE KEY\2-----/;
const AGE = /AGE-SECRET-KEY-1[0-9A-Z]{50,}/;
const PUTTY = /^PuTTY-User-Key-File-\d+: /;
/** Ed25519 in PKCS#8, as the key files of registries and of catalogues have it in JSON. */
const JSON_KEY = /"privateKey"\s*:\s*"MC4CAQAwBQYDK2Vw[A-Za-z0-9+/=]{20,}"/;
/** A JSON Web Key whose private part is there. */
const JWK = /"kty"\s*:\s*"(?:RSA|EC|OKP)"/;
const JWK_PRIVATE = /"d"\s*:\s*"[A-Za-z0-9_-]{20,}"/;
/** A key store of Java. */
const JKS = Buffer.from([0xfe, 0xed, 0xfe, 0xed]);
/** The version of a PKCS#12 file, and the type of its content. */
const PKCS12 = Buffer.from('020103', 'hex');
const PKCS12_DATA = Buffer.from('06092a864886f70d010701', 'hex');

/**
 * The private key in a file, whatever the file's name is, as a few words for people: publishing can't be undone.
 *
 * @returns undefined where there is none
 */
export function privateKeyIn(content: Uint8Array): string | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const pem = pemIn(bytes);
  if (pem !== undefined) return pem;
  if (bytes.length > LARGEST_KEY_FILE) return undefined;
  const text = bytes.toString('latin1');
  if (AGE.test(text)) return 'a private key of age';
  if (PUTTY.test(text)) return 'a private key of PuTTY';
  if (JSON_KEY.test(text) || (JWK.test(text) && JWK_PRIVATE.test(text))) return 'a private key in JSON';
  if (bytes.subarray(0, 4).equals(JKS)) return 'a key store';
  const version = bytes.indexOf(PKCS12);
  if (bytes[0] === 0x30 && version !== -1 && version < 8 && bytes.subarray(0, 64).includes(PKCS12_DATA)) return 'a key store';
  return isDerKey(bytes) ? 'a private key' : undefined;
}

function pemIn(bytes: Buffer): string | undefined {
  for (let at = bytes.indexOf('-----BEGIN '); at !== -1; at = bytes.indexOf('-----BEGIN ', at + 1)) {
    const found = PEM.exec(bytes.toString('latin1', at, at + LONGEST_BLOCK));
    // One that begins further on is found by its own beginning.
    if (found?.index !== 0) continue;
    const [, kind = ''] = found;
    if (kind === 'OPENSSH ') return 'a private key of SSH';
    if (kind === 'PGP ') return 'a private key of OpenPGP';
    return kind === 'ENCRYPTED ' ? 'an encrypted private key' : 'a private key';
  }
  return undefined;
}

function isDerKey(bytes: Buffer): boolean {
  // Every such key is one sequence; anything else need not be tried.
  if (bytes[0] !== 0x30) return false;
  return (['pkcs8', 'pkcs1', 'sec1'] as const).some((type) => {
    try {
      return createPrivateKey({ key: bytes, format: 'der', type }).type === 'private';
    } catch (error) {
      // An encrypted one is recognised, and can't be opened.
      return error instanceof Error && 'code' in error && error.code === 'ERR_MISSING_PASSPHRASE';
    }
  });
}
