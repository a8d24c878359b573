import type { SoughtAs } from '../repeatedSecret.ts';
import type { ServerOrigin } from '../serverDestination.ts';

/** A request of a driver, checked, on its way to one node. Credentials are added to it. */
export interface OutgoingRequest {
  readonly method: string;
  readonly origin: ServerOrigin;
  /** With the path prefix and the query. */
  path: string;
  /** By lower-case name. */
  readonly headers: Map<string, string>;
  /** `stream` where the body can't be read before it is sent. */
  readonly body: Uint8Array | 'none' | 'stream';
}

/** A credential of one connection. It never comes out but in a request that it is added to. */
export interface RequestCredential {
  /**
   * Adds the credential. Called again for each node and for each time that a request is sent.
   *
   * @throws DriverError where it can't be added, or can't be got
   */
  readonly apply: (request: OutgoingRequest, signal: AbortSignal) => void | Promise<void>;
  /** Whether a text gives it away, or what was made of it. */
  readonly isIn: (text: string, as?: SoughtAs) => boolean;
  /** After a server has refused a request: whether the credential is another one the next time. */
  readonly renew?: () => boolean;
  readonly close?: () => Promise<void>;
}
