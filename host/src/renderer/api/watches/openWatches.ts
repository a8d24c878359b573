import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import type { WatchEvent } from '../../../common/watches.ts';
import type { AppRouter } from '../../../runtime/api/router.ts';
import type { OpenWatches } from './watchHub.ts';

/** @param url - of the router */
export function openWatchesAt(url: string): OpenWatches {
  // Alone in its request: one that also carries another call would not end with the signal.
  const client = createTRPCClient<AppRouter>({ links: [httpBatchStreamLink({ url, maxItems: 1 })] });
  return (topics, signal) =>
    // The router's inference turns the read-only pairs of tagged cells into plain arrays; what travels is the same JSON.
    client.watches.follow.mutate({ topics: [...topics] }, { signal }) as Promise<unknown> as Promise<AsyncIterable<WatchEvent>>;
}
