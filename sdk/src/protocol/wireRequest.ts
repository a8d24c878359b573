/** A body to send: bytes, sent in one frame where they fit, or chunks as they come. */
export type WireBody = Uint8Array | AsyncIterable<Uint8Array>;

/** One request. */
export interface WireRequest {
  readonly method: string;
  readonly session?: number;
  readonly params?: unknown;
  readonly body?: WireBody;
  /** Cancels the exchange up to the end of the answer's body. Its reason, where it is a DriverError, is what the caller gets. */
  readonly signal?: AbortSignal;
}
