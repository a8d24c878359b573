import { createPublicKey, hash, verify, webcrypto } from 'node:crypto';
import type { PackageCryptography } from '@tabularium/sdk/package';

/** Bytes up to which a hash takes less time here than the trip to another thread; more would hold up everything else. */
const HASHED_HERE = 1024 * 1024;

/** The prefix of the raw bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The verification of a driver package on this thread, where its files are short, as most are. */
export const nodeCryptography: PackageCryptography = {
  sha512: async (bytes) =>
    bytes.length <= HASHED_HERE
      ? hash('sha512', bytes, 'buffer')
      : new Uint8Array(await webcrypto.subtle.digest('SHA-512', bytes)),
  sha256: (bytes) => hash('sha256', bytes, 'buffer'),
  verifyEd25519: (publicKey, signature, bytes) =>
    verify(
      null,
      bytes,
      createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' }),
      signature,
    ),
};
