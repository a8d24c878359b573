import { httpBatchStreamLink, splitLink } from '@trpc/client';
import type { HTTPBatchLinkOptions, TRPCLink } from '@trpc/client';
import type { AppRouter } from '../../runtime/api/router.ts';

type Options = HTTPBatchLinkOptions<AppRouter['_def']['_config']['$types']>;

/**
 * Sends the calls of a moment in one request. A change that a person may stop goes alone: a request is given up only when each of its calls is, so
 * the host would continue with one that was stopped beside another.
 */
export function callLink(options: Options): TRPCLink<AppRouter> {
  return splitLink({
    condition: ({ type, signal }) => type === 'mutation' && signal !== undefined && signal !== null,
    true: httpBatchStreamLink({ ...options, maxItems: 1 }),
    false: httpBatchStreamLink(options),
  });
}
