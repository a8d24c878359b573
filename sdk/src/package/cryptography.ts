/**
 * The algorithms that a verification needs. Everything else about a package is the same for every caller, so a host may bring faster ones:
 * `crypto.subtle` asks another thread for each hash, however short.
 */
export interface PackageCryptography {
  /** 64 bytes. */
  sha512(bytes: Uint8Array<ArrayBuffer>): Uint8Array | Promise<Uint8Array>;
  /** 32 bytes. */
  sha256(bytes: Uint8Array<ArrayBuffer>): Uint8Array | Promise<Uint8Array>;
  /**
   * Whether the signature is that of the key.
   *
   * @param publicKey - 32 raw bytes
   * @param signature - of any length
   * @throws anything for a key that isn't a point on the curve, which counts as false
   */
  verifyEd25519(
    publicKey: Uint8Array<ArrayBuffer>,
    signature: Uint8Array<ArrayBuffer>,
    bytes: Uint8Array<ArrayBuffer>,
  ): boolean | Promise<boolean>;
}

const ALGORITHM = { name: 'Ed25519' } as const;

/** The implementation that every runtime has. */
export const webCryptography: PackageCryptography = {
  sha512: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-512', bytes)),
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
  verifyEd25519: async (publicKey, signature, bytes) =>
    crypto.subtle.verify(
      ALGORITHM,
      await crypto.subtle.importKey('raw', publicKey, ALGORITHM, false, ['verify']),
      signature,
      bytes,
    ),
};
