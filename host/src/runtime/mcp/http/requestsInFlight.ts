import type { RequestCalls } from '../server/requestCalls.ts';
import type { RpcId } from './answers.ts';

/** Why a request is aborted whose token was revoked. */
export const TOKEN_REVOKED = Symbol('The token was revoked');

/** A request in flight. */
export interface RequestInFlight {
  readonly principalId: string;
  readonly abort: AbortController;
  /** Its calls. */
  readonly calls: RequestCalls;
  /** Known when its body has been read. */
  id?: RpcId | undefined;
  /** A stream without an end of its own: stopping does not wait for it. */
  endless: boolean;
}

/** The requests in flight, by their token. */
export class RequestsInFlight {
  readonly #byToken = new Map<string, Set<RequestInFlight>>();
  #onLeave: (() => void) | undefined;

  /** @returns to be called when the request is over */
  enter(tokenId: string, request: RequestInFlight): () => void {
    const all = this.#byToken.get(tokenId) ?? new Set();
    this.#byToken.set(tokenId, all.add(request));
    return () => {
      all.delete(request);
      if (all.size === 0) this.#byToken.delete(tokenId);
      this.#onLeave?.();
    };
  }

  /** How many requests of a principal run, without endless streams. */
  countOf(principalId: string): number {
    let count = 0;
    for (const all of this.#byToken.values()) {
      for (const request of all) if (request.principalId === principalId && !request.endless) count += 1;
    }
    return count;
  }

  /** How many streams of a principal are open that have no end of their own. */
  countEndlessOf(principalId: string): number {
    let count = 0;
    for (const all of this.#byToken.values()) {
      for (const request of all) if (request.principalId === principalId && request.endless) count += 1;
    }
    return count;
  }

  /** How many run for a token, streams too. */
  countOfToken(tokenId: string): number {
    return this.#byToken.get(tokenId)?.size ?? 0;
  }

  /** Aborts all of a token. */
  abort(tokenId: string, reason?: symbol): void {
    for (const { abort } of this.#byToken.get(tokenId) ?? []) abort.abort(reason);
  }

  /** Waits until every request in flight is one of those that may stay, or the time is over. */
  async until(mayStay: (request: RequestInFlight) => boolean, milliseconds: number): Promise<void> {
    const done = (): boolean => [...this.#byToken.values()].every((all) => [...all].every(mayStay));
    if (done()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#onLeave = () => {
      if (done()) resolve();
    };
    await promise;
    clearTimeout(timer);
  }
}
