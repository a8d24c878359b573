import type { Duplex } from 'node:stream';
import type { HostError } from '../../../common/errors.ts';
import type { HostSentence } from '../../../common/hostSentences.ts';

/** A step on the way to the SSH server or proxy, once it is done. */
export interface TunnelStep {
  readonly id: 'sshReached' | 'sshHostKey' | 'sshSignIn';
  readonly sentence: HostSentence;
}

/**
 * The way to the server of a connection: an SSH server or a proxy. One for each session, shared by its sockets. It is open while somebody holds it, and
 * opened again when it broke.
 */
export interface Tunnel {
  readonly kind: 'ssh' | 'socks';
  /** Host and port of the SSH server or proxy, as people write them. */
  readonly address: string;
  /** How often it was opened, for those who ask whether it was open meanwhile. */
  readonly openings: number;
  readonly isOpen: boolean;
  /** Why the host did not open it when it was last tried, such as a key that has changed; undefined where it could, or the server was not reached. */
  readonly refusal: HostError | undefined;
  /** Keeps the tunnel until {@link release}. */
  hold(): void;
  /** Closes the tunnel, with every stream through it, when it is called as often as {@link hold}. */
  release(): void;
  /**
   * Opens the tunnel where it is not open.
   *
   * @throws HostError `SSH_KEY_UNKNOWN`, `SSH_KEY_CHANGED`
   * @throws DriverError
   */
  ready(signal: AbortSignal, onStep?: (step: TunnelStep) => void): Promise<void>;
  /**
   * Connects to a server through it. The far side looks the name up.
   *
   * @throws as {@link ready}
   */
  open(host: string, port: number, signal: AbortSignal): Promise<Duplex>;
}
