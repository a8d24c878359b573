import type { SeenRequest } from './seenRequest.ts';

/** What may go wrong between a client and a server, to be made to happen in tests. */
export type Fault =
  /** The connection is reset before any answer, as when an idle one is reused too late. */
  | { readonly kind: 'reset' }
  /** No answer, ever. */
  | { readonly kind: 'silence' }
  /** The answer is cut off and the connection with it. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The answer stops in the middle, and the connection stays. */
  | { readonly kind: 'stall'; readonly afterBytes: number }
  /** Something else is answered. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: string };

const NOT_READY: Fault = { kind: 'answer', status: 503, body: '{"message":"Not Ready or Lagging"}' };

/** A server that is starting answers these three and refuses everything else, whatever the key. */
const ANSWERED_WHILE_STARTING: readonly string[] = ['/health', '/debug', '/metrics.json'];

export class Faults {
  #fault: ((request: SeenRequest) => Fault | undefined) | undefined;
  #isStarting = false;

  /** Undefined lets everything go right again. */
  set(fault: ((request: SeenRequest) => Fault | undefined) | undefined): void {
    this.#fault = fault;
  }

  setStarting(isStarting: boolean): void {
    this.#isStarting = isStarting;
  }

  for(request: SeenRequest): Fault | undefined {
    if (this.#isStarting && request.path === '/health') return { kind: 'answer', status: 503, body: '{"ok":false}' };
    if (this.#isStarting && !ANSWERED_WHILE_STARTING.includes(request.path)) return NOT_READY;
    return this.#fault?.(request);
  }
}
