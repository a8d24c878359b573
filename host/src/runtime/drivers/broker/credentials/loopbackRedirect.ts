import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PATH = '/callback';
/** Milliseconds within which a request must have arrived: a program that sends without end holds nothing. */
const REQUEST_TIME = 5_000;
/** Characters of the query. */
const LONGEST_QUERY = 8_000;
const MOST_SOCKETS = 16;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

/** Waits for one redirect of a provider, on this computer. */
export interface LoopbackRedirect {
  /** The address that the provider is to redirect to. */
  readonly uri: string;
  /** The parameters of the first redirect that has the state. */
  readonly answer: Promise<URLSearchParams>;
  /** How many requests to the redirect's path were ignored, because they had another state. */
  readonly ignored: () => number;
  readonly close: () => void;
}

/**
 * Listens on a free port of 127.0.0.1 until one redirect with this state has come. Everything else is answered and ignored: a program that finds
 * the port can neither end the sign-in nor answer it.
 */
export async function loopbackRedirect(state: string): Promise<LoopbackRedirect> {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  let isAnswered = false;
  let ignored = 0;
  let origin = '';
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const say = (status: number, title: string, sentence: string): void => {
      response.writeHead(status, HEADERS).end(page(title, sentence), () => request.destroy());
    };
    const { url = '', method, headers } = request;
    const mark = url.indexOf('?');
    const [path, query] = mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
    // A page of another name that resolves to this computer has its own name in "Host".
    if (`http://${headers.host ?? ''}` !== origin) return say(421, 'Wrong address', 'This address is for a sign-in alone.');
    if (path !== PATH) return say(404, 'Nothing here', 'This address is for a sign-in alone.');
    if (method !== 'GET') return say(405, 'Not accepted', 'The provider must answer with a redirect.');
    const parameters = query.length > LONGEST_QUERY ? new URLSearchParams() : new URLSearchParams(query);
    const states = parameters.getAll('state');
    if (states.length !== 1 || states[0] !== state) {
      ignored += 1;
      return say(
        400,
        'Not this sign-in',
        "This answer doesn't belong to the sign-in that is in progress. Return to Tabularium and sign in again.",
      );
    }
    if (isAnswered) return say(409, 'Already answered', 'This sign-in already has its answer. Return to Tabularium.');
    isAnswered = true;
    say(200, 'Return to Tabularium', 'Tabularium has the answer of your provider. You can close this page.');
    resolve(parameters);
  };
  const server = createServer(
    { headersTimeout: REQUEST_TIME, requestTimeout: REQUEST_TIME, connectionsCheckingInterval: 1_000, maxHeaderSize: 16 * 1024 },
    onRequest,
  );
  server.maxConnections = MOST_SOCKETS;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    uri: `${origin}${PATH}`,
    answer: promise,
    ignored: () => ignored,
    close: () => {
      server.close();
      // The page of the answer is still on its way.
      setTimeout(() => server.closeAllConnections(), 500).unref();
    },
  };
}

/** Of our own sentences alone. */
function page(title: string, sentence: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>${sentence}</p></body></html>`;
}
