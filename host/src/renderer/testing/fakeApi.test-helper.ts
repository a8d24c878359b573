import type { FetchHandler } from '../../common/fetchHandler.ts';
import { createApiHandler } from '../../runtime/api/handler.ts';
import type { ApiContext } from '../../runtime/api/context.ts';

// The host in the page: the router and its schemas as they are, over services in memory, in the place of the network.

const network = globalThis.fetch;
const API = /^.*(?=\/api\/)/;

/** Whatever the host would write into its log as unexpected is a fault of the test or of the window. */
const logger = {
  info: () => undefined,
  debug: () => undefined,
  warn: () => undefined,
  error: (message: string, cause?: unknown) => console.error(message, cause),
};

/** From now on these services answer what the window asks. */
export function answerWith(services: ApiContext): void {
  const handler: FetchHandler = createApiHandler(services, logger);
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    if (!API.test(pathname)) return network(input, init);
    const address = new URL(pathname.replace(API, '') + search, location.origin);
    // A caller that has stopped waiting gets no answer, as over a network.
    const gone = new Promise<never>((_resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
    });
    return Promise.race([handler(new Request(address, request)), gone]);
  };
}

/** The host doesn't answer any more. */
export function forgetApi(): void {
  globalThis.fetch = network;
}
