import { createTRPCClient } from '@trpc/client';
import type { TRPCClient } from '@trpc/client';
import { ROUTER_PATH } from '../../common/api.ts';
import type { AppRouter } from '../../runtime/api/router.ts';
import { abortLink } from './abortLink.ts';
import { apiUrl } from './apiUrl.ts';
import { callLink } from './callLink.ts';
import { diskSpaceLink } from './diskSpace.ts';
import { driverTextsLink } from './driverTextsLink.ts';
import { hostFetch } from './hostLink/hostFetch.ts';
import { reachabilityLink } from './reachability.ts';
import { sessionEndsLink } from './sessionEnds.ts';

/** The window's way to the runtime: one address below its own, whichever transport serves it. */
export const api: TRPCClient<AppRouter> = createTRPCClient<AppRouter>({
  // A query string of many batched calls can pass the limit of a server on the way; 4,000 is well below all of them.
  links: [
    abortLink(),
    sessionEndsLink(),
    diskSpaceLink(),
    driverTextsLink(),
    reachabilityLink(),
    callLink({ url: apiUrl(ROUTER_PATH), maxURLLength: 4_000, fetch: hostFetch }),
  ],
});
