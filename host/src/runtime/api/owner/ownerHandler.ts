import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { ROUTER_PATH } from '../../../common/api.ts';
import type { FetchHandler } from '../../../common/fetchHandler.ts';
import { errorReport } from '../../errors/errorReport.ts';
import type { Logger } from '../../storage/logger.ts';
import { createApiHandler } from '../handler.ts';
import { ownerRouter } from './ownerRouter.ts';
import type { OwnerContext } from './ownerContext.ts';

/**
 * The API with the owner's authority: what {@link createApiHandler} serves, with the router that has the owner's procedures too. For the
 * owner's socket and for a command that runs the runtime itself; never for a window.
 */
export function createOwnerHandler(services: OwnerContext, logger: Logger): FetchHandler {
  const api = createApiHandler(services, logger);
  return async (request) => {
    if (!new URL(request.url).pathname.startsWith(`${ROUTER_PATH}/`)) return api(request);
    return fetchRequestHandler({
      endpoint: ROUTER_PATH,
      req: request,
      router: ownerRouter,
      createContext: () => services,
      // Names and texts of a query can be longer than an address.
      allowMethodOverride: true,
      onError: ({ error, path }) => {
        const cause = error.cause ?? error;
        if (errorReport(cause).code === 'INTERNAL') logger.error(`${path ?? 'a command'} failed unexpectedly`, cause);
      },
    });
  };
}
