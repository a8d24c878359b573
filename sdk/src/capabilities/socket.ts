import type { CallOptions } from '../callOptions.ts';

/**
 * Sockets to the one endpoint that the connection names. The host looks its name up, connects and does TLS; bytes pass both ways with
 * back-pressure. All sockets of a session go to the address that the first one reached.
 */
export interface SocketCapability {
  /** Host and port as people write them. */
  readonly endpoint: string;
  /**
   * Whether the form asks for encryption, and when it begins: `immediate`, a socket is encrypted from its first byte; `upgrade`, the driver
   * calls {@link DriverSocket.startTls} when the protocol has agreed on it.
   */
  readonly tls: 'none' | 'immediate' | 'upgrade';
  /**
   * Opens a socket. It outlives the call in which it was opened, and ends with the session at the latest.
   *
   * @throws DriverError `HOST_NOT_FOUND`, `CONNECTION_REFUSED`, `CONNECTION_LOST`, `TLS_FAILED`, `TIMEOUT`, `CANCELLED`,
   *   `PERMISSION_DENIED` while the manifest's `maxSockets` are open, and after 600 within a minute
   */
  open(options: CallOptions): Promise<DriverSocket>;
}

/** One open socket. */
export interface DriverSocket {
  /** Whether TLS has begun. */
  readonly isEncrypted: boolean;
  /**
   * The server's bytes, in pieces of any size, to be read once. Ends when the server closes the socket, which then takes no more bytes either.
   * Ending the iteration early closes the socket.
   *
   * @throws DriverError `CONNECTION_LOST`, and what {@link SocketCapability.open} throws
   */
  readonly received: AsyncIterable<Uint8Array>;
  /**
   * Sends bytes, in the order of the calls. They must not change before it resolves, which is when the host has room for more.
   *
   * @throws DriverError `CONNECTION_LOST` for a socket that is closed
   */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Begins TLS: for a capability whose `tls` is `upgrade`, once, between two messages of the protocol. Bytes that the server sent before and that
   * were not read yet would count as encrypted, so they end the socket.
   *
   * @throws DriverError `TLS_FAILED`, `TIMEOUT`, `CONNECTION_LOST`, `DRIVER_FAULT` where TLS has begun or isn't wanted
   */
  startTls(): Promise<void>;
  /** Says that nothing more is sent. What the server still has to say arrives. */
  end(): void;
  /** Closes the socket at once; what was written last may be lost. */
  close(): void;
}
