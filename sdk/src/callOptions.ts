/** Every call of a session takes this. */
export interface CallOptions {
  /** Aborted when the caller has lost interest, or the time is up. Stop work and reject; the host answers `CANCELLED` or `TIMEOUT`. */
  readonly signal: AbortSignal;
}
