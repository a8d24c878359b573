import { TRPCClientError } from '@trpc/client';
import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';

/**
 * Ends a call when its signal says so. Calls that were batched into one request end there only when all of them are aborted: until then the
 * answer of an aborted one would still reach a caller that no longer waits for it.
 */
export function abortLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const { signal } = op;
        const abort = (): void => {
          observer.error(TRPCClientError.from(new DOMException('The call was aborted.', 'AbortError')));
        };
        if (signal?.aborted === true) {
          abort();
          return undefined;
        }
        const subscription = next(op).subscribe(observer);
        signal?.addEventListener('abort', abort, { once: true });
        return () => {
          signal?.removeEventListener('abort', abort);
          subscription.unsubscribe();
        };
      });
}
