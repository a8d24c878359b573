export interface SshLimits {
  /** Milliseconds for name lookup, TCP, keys and sign-in together. */
  readonly connect: number;
  /** Milliseconds between two questions whether the server is still there; the third without an answer ends the tunnel. */
  readonly keepAlive: number;
  /** Bytes of a server before a person is signed in. */
  readonly greeting: number;
}

export const SSH_LIMITS: SshLimits = { connect: 15_000, keepAlive: 15_000, greeting: 512 * 1024 };
