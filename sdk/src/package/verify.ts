import { webCryptography } from './cryptography.ts';
import type { PackageCryptography } from './cryptography.ts';
import { faultOfFiles, integrityOf } from './files.ts';
import type { PackageFiles } from './files.ts';
import { isSignedBy, keyIdOf } from './keys.ts';
import { MAX_SIGNATURE_BYTES, packageSignatureSchema, SIGNATURE_FILE, SIGNATURE_FORMAT, signedBytes } from './signature.ts';
import type { PackageSignature } from './signature.ts';

/** The result of a verification, or the sentence that says why it failed. Whether the key is trusted is the caller's question. */
export type VerificationResult =
  | { readonly ok: true; readonly signature: PackageSignature }
  | { readonly ok: false; readonly fault: 'unsigned' | 'newer' | 'invalid'; readonly message: string };

const invalid = (message: string): VerificationResult => ({ ok: false, fault: 'invalid', message });

function parseSignature(bytes: Uint8Array): VerificationResult {
  if (bytes.length > MAX_SIGNATURE_BYTES) return invalid(`${SIGNATURE_FILE} is larger than ${MAX_SIGNATURE_BYTES} bytes.`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return invalid(`${SIGNATURE_FILE} is not JSON.`);
  }
  const version = typeof value === 'object' && value !== null && 'formatVersion' in value ? value.formatVersion : undefined;
  if (typeof version === 'number' && version > SIGNATURE_FORMAT) {
    const message = `The package is signed in a newer form (${version}; this version of Tabularium reads ${SIGNATURE_FORMAT}). Update Tabularium.`;
    return { ok: false, fault: 'newer', message };
  }
  const parsed = packageSignatureSchema.safeParse(value);
  return parsed.success ? { ok: true, signature: parsed.data } : invalid(`${SIGNATURE_FILE} is malformed.`);
}

/**
 * Checks a package against the signature inside it: every file is listed and has its hash, nothing else is there, and the signature is
 * the named key's. Never throws.
 *
 * @param files - every file of the package, the signature included
 * @param cryptography - `crypto.subtle` unless given
 */
export async function verifyPackageFiles(
  files: PackageFiles,
  cryptography: PackageCryptography = webCryptography,
): Promise<VerificationResult> {
  const own = files.get(SIGNATURE_FILE);
  if (own === undefined) return { ok: false, fault: 'unsigned', message: `The package has no ${SIGNATURE_FILE}.` };
  const parsed = parseSignature(own);
  if (!parsed.ok) return parsed;
  const { signature } = parsed;

  const contents = new Map([...files].filter(([path]) => path !== SIGNATURE_FILE));
  const fault = faultOfFiles(new Map(Array.from(contents, ([path, bytes]) => [path, bytes.length])));
  if (fault !== undefined) return invalid(fault);
  const listed = new Map(Object.entries(signature.files));
  for (const path of listed.keys()) {
    if (!contents.has(path)) return invalid(`The signed file ${JSON.stringify(path)} is missing.`);
  }
  const checks = Array.from(contents, async ([path, bytes]): Promise<string | undefined> => {
    const expected = listed.get(path);
    if (expected === undefined) return `The file ${JSON.stringify(path)} is not signed.`;
    return (await integrityOf(bytes, cryptography)) === expected
      ? undefined
      : `The file ${JSON.stringify(path)} is not the one that was signed.`;
  });
  // Each may be a trip to another thread: all of them at once.
  const [faults, keyId, signed] = await Promise.all([
    Promise.all(checks),
    keyIdOf(signature.publicKey, cryptography).catch(() => undefined),
    isSignedBy(signature.publicKey, signature.signature, signedBytes(signature), cryptography),
  ]);
  const wrong = faults.find((message) => message !== undefined);
  if (wrong !== undefined) return invalid(wrong);
  if (keyId !== signature.keyId) return invalid('The signature names a key that is not the one it carries.');
  if (!signed) return invalid('The signature does not fit the package.');
  return parsed;
}
