import { webCryptography } from './cryptography.ts';
import type { PackageCryptography } from './cryptography.ts';
import { faultOfFiles, integrityOf, PACKAGE_LIMITS } from './files.ts';
import type { FileLimits, PackageFiles } from './files.ts';
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

/** A file of a package without its content. */
export interface HashedFile {
  readonly bytes: number;
  /** `sha512-…` */
  readonly integrity: string;
}

/**
 * As {@link verifyPackageFiles}, for files that are too large to hold in memory.
 *
 * @param signatureFile - the content of the signature file
 * @param files - every other file of the package
 */
export async function verifyPackageHashes(
  signatureFile: Uint8Array | undefined,
  files: ReadonlyMap<string, HashedFile>,
  options: { readonly cryptography?: PackageCryptography; readonly limits?: FileLimits } = {},
): Promise<VerificationResult> {
  const { cryptography = webCryptography, limits = PACKAGE_LIMITS } = options;
  if (signatureFile === undefined) return { ok: false, fault: 'unsigned', message: `The package has no ${SIGNATURE_FILE}.` };
  const parsed = parseSignature(signatureFile);
  if (!parsed.ok) return parsed;
  const { signature } = parsed;
  const sizes = new Map(Array.from(files, ([path, { bytes }]) => [path, bytes]));
  const wrong = faultOfFiles(sizes, limits) ?? missingFile(signature, sizes) ?? faultOfHashes(signature, files);
  return wrong === undefined ? checkSigner(parsed, cryptography) : invalid(wrong);
}

function missingFile(signature: PackageSignature, files: ReadonlyMap<string, unknown>): string | undefined {
  const missing = Object.keys(signature.files).find((path) => !files.has(path));
  return missing === undefined ? undefined : `The signed file ${JSON.stringify(missing)} is missing.`;
}

function faultOfHashes(signature: PackageSignature, files: ReadonlyMap<string, HashedFile>): string | undefined {
  const listed = new Map(Object.entries(signature.files));
  for (const [path, { integrity }] of files) {
    const expected = listed.get(path);
    if (expected === undefined) return `The file ${JSON.stringify(path)} is not signed.`;
    if (integrity !== expected) return `The file ${JSON.stringify(path)} is not the one that was signed.`;
  }
  return undefined;
}

/** Whether the signature is that of the key that it names. */
async function checkSigner(
  parsed: VerificationResult & { readonly ok: true },
  cryptography: PackageCryptography,
): Promise<VerificationResult> {
  const { signature } = parsed;
  const [keyId, signed] = await Promise.all([
    keyIdOf(signature.publicKey, cryptography).catch(() => undefined),
    isSignedBy(signature.publicKey, signature.signature, signedBytes(signature), cryptography),
  ]);
  if (keyId !== signature.keyId) return invalid('The signature names a key that is not the one it carries.');
  return signed ? parsed : invalid('The signature does not fit the package.');
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
  const sizes = new Map(Array.from(contents, ([path, bytes]) => [path, bytes.length]));
  // Before anything is hashed.
  const fault = faultOfFiles(sizes) ?? missingFile(signature, sizes);
  if (fault !== undefined) return invalid(fault);
  const hash = async ([path, bytes]: readonly [string, Uint8Array<ArrayBuffer>]): Promise<readonly [string, HashedFile]> => [
    path,
    { bytes: bytes.length, integrity: await integrityOf(bytes, cryptography) },
  ];
  // Each may be a trip to another thread: all of them at once.
  const [hashes, signer] = await Promise.all([Promise.all(Array.from(contents, hash)), checkSigner(parsed, cryptography)]);
  const wrong = faultOfHashes(signature, new Map(hashes));
  return wrong === undefined ? signer : invalid(wrong);
}
