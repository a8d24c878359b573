export interface SshLimits {
  /** Milliseconds for name lookup, TCP, keys and sign-in together. */
  readonly connect: number;
  /** Milliseconds between two questions whether the server is still there; the third without an answer ends the tunnel. */
  readonly keepAlive: number;
  /** Bytes of a server before a person is signed in. */
  readonly greeting: number;
  /** Bytes that a signed-in server may send at once beside the data of the channels. */
  readonly surplus: number;
  /** Bytes of that in each second. */
  readonly surplusRate: number;
  /** Bytes that wait for a server that does not read them: above the first no more data is added, above the second the tunnel ends. */
  readonly unsent: number;
  readonly mostUnsent: number;
  /** Milliseconds for the server to close its side of a connection that is over. */
  readonly close: number;
}

export const SSH_LIMITS: SshLimits = {
  connect: 15_000,
  keepAlive: 15_000,
  greeting: 512 * 1024,
  surplus: 1024 * 1024,
  surplusRate: 64 * 1024,
  unsent: 1024 * 1024,
  mostUnsent: 8 * 1024 * 1024,
  close: 3_000,
};
