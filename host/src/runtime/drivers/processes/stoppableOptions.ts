import type { CallOptions } from '@tabularium/sdk';

/** Of a call that changes rows. */
export interface StoppableOptions extends CallOptions {
  /** Cancels the driver's work and waits for its last outcomes, where `signal` breaks the call off without them. */
  readonly stop?: AbortSignal;
}
