/**
 * A request's signal doesn't keep its request. Once the request is garbage, the signal that it was made with no longer aborts it (undici
 * follows through a weak reference), so an abort would get lost in every call that lasts longer than a collection or two. Everything that
 * a signal needs to keep working is kept as long as the signal.
 */
const needed = new WeakMap<AbortSignal, readonly Request[]>();

/** A request whose signal follows `init.signal` (or the signal of a request that it's made from) for as long as anyone listens to it. */
export function abortableRequest(input: string | URL | Request, init?: RequestInit): Request {
  const request = new Request(input, init);
  needed.set(request.signal, input instanceof Request ? [input, request] : [request]);
  return request;
}

/** A copy with a body of its own, whose signal follows that of the original. */
export function abortableCopy(request: Request): Request {
  // The result of `clone` alone forgets its source even while it is held.
  const copy = abortableRequest(request.clone(), { signal: request.signal });
  needed.set(copy.signal, [request, copy]);
  return copy;
}
