import type { DriverMethod, EventMethod } from '@tabularium/sdk/protocol';
import type { DRIVER_METHODS } from '@tabularium/sdk/protocol';
import type { EventOf } from './eventsOf.ts';

export type Result<M extends DriverMethod> = ReturnType<(typeof DRIVER_METHODS)[M]['result']['parse']>;

/** The ways to ask a driver's process something. */
export interface Calls {
  /** Whether every call goes to the same process. */
  readonly sameProcess: boolean;
  /** A call whose answer is JSON. */
  json<M extends DriverMethod>(method: M, params: unknown, signal: AbortSignal, timeout?: number): Promise<Result<M>>;
  /** A call whose answer is a head and bytes that are passed on unread. */
  bytes<M extends DriverMethod>(method: M, params: unknown, signal: AbortSignal): Promise<{ head: Result<M>; bytes: Uint8Array }>;
  /** Events as they come. The first sign of life has its time; after it a person decides how long. */
  events<M extends EventMethod>(method: M, params: unknown, signal: AbortSignal): AsyncGenerator<EventOf<M>, void, undefined>;
  /** Ends what the calls were made with. Never throws: what cannot be closed is gone. */
  end(): Promise<void>;
}
