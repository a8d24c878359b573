import type { SeenRequest } from './seenRequest.ts';

/** Faults between a client and a server that tests can cause. */
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

/** The resource that a server runs out of. */
export type Resource = 'OUT_OF_DISK' | 'OUT_OF_MEMORY';

const outOf = (resource: Resource): Fault => ({
  kind: 'answer',
  status: 422,
  body: `{"message": "Rejecting write: running out of resource type: ${resource}"}`,
});

const NOT_READY: Fault = { kind: 'answer', status: 503, body: '{"message":"Not Ready or Lagging"}' };

/** Refusals as real servers word them, for a chooser of faults to pick from. */
export const realFaults = {
  /** Seen on 29.0 and 30.0-dev; it refuses writes, and neither deletions nor reads. */
  outOfDisk: outOf('OUT_OF_DISK'),
  /** Named after the other one, which could be provoked; this one could not. */
  outOfMemory: outOf('OUT_OF_MEMORY'),
  /** A server that starts, or that has fallen behind the others of its cluster. */
  lagging: NOT_READY,
} as const;

/** Writes that are refused while something runs out: nothing that deletes, searches or operates the server. */
const isRefusedWrite = ({ method, path }: SeenRequest): boolean =>
  ['POST', 'PUT', 'PATCH'].includes(method) &&
  !['/multi_search', '/config', '/health'].includes(path) &&
  !path.startsWith('/operations/');

/** A server that is starting, or whose cluster has no majority, answers these and refuses everything else, whatever the key. */
const ANSWERED_WHILE_STARTING: readonly string[] = ['/health', '/debug', '/status', '/metrics.json', '/stats.json'];

export class Faults {
  #fault: ((request: SeenRequest) => Fault | undefined) | undefined;
  #isStarting = false;
  #exhausted: Resource | undefined;

  /** Undefined lets everything go right again. */
  set(fault: ((request: SeenRequest) => Fault | undefined) | undefined): void {
    this.#fault = fault;
  }

  setStarting(isStarting: boolean): void {
    this.#isStarting = isStarting;
  }

  setExhausted(resource: Resource | undefined): void {
    this.#exhausted = resource;
  }

  for(request: SeenRequest): Fault | undefined {
    if (this.#isStarting && request.path === '/health') return { kind: 'answer', status: 503, body: '{"ok":false}' };
    if (this.#isStarting && !ANSWERED_WHILE_STARTING.includes(request.path)) return NOT_READY;
    if (this.#exhausted !== undefined && request.path === '/health') {
      return { kind: 'answer', status: 200, body: `{"ok":true,"resource_error":"${this.#exhausted}"}` };
    }
    if (this.#exhausted !== undefined && isRefusedWrite(request)) return outOf(this.#exhausted);
    return this.#fault?.(request);
  }
}
