import type { IncomingMessage, ServerResponse } from 'node:http';

/** The headers that a page may send: the protocol's, and its token. */
const SENT_HEADERS =
  'Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name';
/** Headers of an answer that a page may read. */
const READ_HEADERS = 'Mcp-Session-Id, WWW-Authenticate, Retry-After';
const PREFLIGHT_SECONDS = 600;

/** Whether a page's origin is among the listed ones. They are compared as a browser writes them. */
export function isListedOrigin(origin: string | undefined, allowedOrigins: readonly string[]): boolean {
  return origin !== undefined && allowedOrigins.some((listed) => URL.parse(listed)?.origin === origin);
}

/**
 * Lets the page of a listed origin read the answers, by CORS. Every other page's browser refuses to show them to it, also where the server
 * answers. Without credentials of the browser: a page has its token or nothing.
 */
export function letPageRead(request: IncomingMessage, response: ServerResponse, allowedOrigins: readonly string[]): void {
  if (allowedOrigins.length === 0) return;
  // For a cache, also where this request's origin is not listed.
  response.setHeader('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !isListedOrigin(origin, allowedOrigins)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', READ_HEADERS);
}

/** The answer to a browser that asks whether the page of a listed origin may call; undefined for every other request. */
export function preflightAnswer(
  request: IncomingMessage,
  allowedOrigins: readonly string[],
  methods: string,
): Response | undefined {
  const { origin, 'access-control-request-method': method } = request.headers;
  if (request.method !== 'OPTIONS' || method === undefined || !isListedOrigin(origin, allowedOrigins)) return undefined;
  const headers: Record<string, string> = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': SENT_HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
  // A page of the Internet that calls this machine needs this word in browsers that have the rule.
  if (request.headers['access-control-request-private-network'] === 'true')
    headers['access-control-allow-private-network'] = 'true';
  return new Response(null, { status: 204, headers });
}
