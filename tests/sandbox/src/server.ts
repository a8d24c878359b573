import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Engine } from './engine.ts';
import { ApiError } from './errors.ts';
import { SILENCE, readQuery } from './http.ts';
import type { Answer, Call } from './http.ts';
import type { Pace } from './pace.ts';
import type { Router, RouteMatch } from './router.ts';
import { Responder, TYPES } from './responder.ts';
import type { Fault } from './faults.ts';
import type { SeenRequest } from './seenRequest.ts';
import { searchedCollections } from './routes/search.ts';
import { tryParse } from './json/parse.ts';
import { isObject } from './json/value.ts';
import type { Statistics } from './statistics.ts';

const MAX_QUERY_LENGTH = 4000;
const KEEP_ALIVE_MS = 60_000;
const KEY_HEADERS = ['x-typesense-api-key', 'x-search-api-key'] as const;
const USER = 'x-typesense-user-id';
const FORBIDDEN = 'Forbidden - a valid `x-typesense-api-key` header must be sent.';
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, DELETE, PUT, PATCH, OPTIONS',
  'access-control-allow-headers': 'Origin, X-Requested-With, Content-Type, Accept, X-TYPESENSE-API-KEY, X-SEARCH-API-KEY',
  'access-control-max-age': '86400',
} as const;

export interface ServerOptions {
  readonly engine: Engine;
  readonly router: Router;
  readonly statistics: Statistics;
  readonly pace: Pace | undefined;
  readonly tls: { readonly key: string; readonly cert: string } | undefined;
  readonly onRequest: (request: SeenRequest) => void;
  /** The fault to cause for a request, for tests. */
  readonly faultFor: (request: SeenRequest) => Fault | undefined;
}

const message = (text: string): string => JSON.stringify({ message: text });

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** A header wins over the query, even when the query holds another key. */
const keyOf = (request: IncomingMessage, params: ReadonlyMap<string, string>): string => {
  for (const name of KEY_HEADERS) {
    const value = headerOf(request, name);
    if (value !== undefined && value !== '') return value;
  }
  return params.get('x-typesense-api-key') ?? '';
};

const seen = (request: IncomingMessage, path: string, query: string): SeenRequest => {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(request.headers)) {
    const isKey = KEY_HEADERS.some((header) => header === name) || name === 'authorization';
    headers[name] = isKey ? '(hidden)' : (headerOf(request, name) ?? '');
  }
  return { method: request.method ?? '', path, query: query.replace(/(x-typesense-api-key=)[^&]*/g, '$1(hidden)'), headers };
};

/** A name in the query replaces the one in the path, also an empty one (29.0 and 30.0-dev). */
const namesOf = ({ captured }: RouteMatch, params: ReadonlyMap<string, string>): RouteMatch['captured'] =>
  Object.fromEntries(Object.entries(captured).map(([name, inPath]) => [name, params.get(name) ?? inPath]));

/** The key is asked about every collection the request touches; a multi_search may bring a key for each search. */
const authorise = (engine: Engine, match: RouteMatch, call: Omit<Call, 'embedded'>): Record<string, unknown>[] | undefined => {
  const { action } = match.route;
  if (action === undefined) return [{}];
  let collections: string[];
  if (match.route.path === '/multi_search') {
    collections = searchedCollections(call);
  } else if (match.route.path === '/collections' && match.route.method === 'POST') {
    const source = tryParse(call.body);
    const name = source !== undefined && isObject(source) ? source['name'] : undefined;
    collections = [typeof name === 'string' ? name : ''];
  } else {
    collections = [call.captured['collection'] ?? ''];
  }
  const embedded: Record<string, unknown>[] = [];
  for (const collection of collections) {
    const access = engine.keys.access(call.key, action, [collection]);
    if (access === undefined) return undefined;
    embedded.push(access.embedded);
  }
  return embedded;
};

const answerOf = (call: Call, match: RouteMatch): Answer | typeof SILENCE => {
  try {
    return match.route.handler(call);
  } catch (error) {
    if (error instanceof ApiError)
      return { status: error.status, body: message(error.message), type: match.route.type ?? 'json' };
    throw error;
  }
};

const respond = async (request: IncomingMessage, response: ServerResponse, options: ServerOptions): Promise<void> => {
  const { engine, pace, router, statistics } = options;
  const [path = '/', ...queries] = (request.url ?? '/').split('?');
  const query = queries.join('?');
  const method = request.method ?? 'GET';
  const shown = seen(request, path, query);
  options.onRequest(shown);
  const fault = options.faultFor(shown);
  if (fault?.kind === 'reset') {
    request.socket.destroy();
    return;
  }
  if (fault?.kind === 'silence') return;
  const responder = new Responder(response, pace, fault?.kind === 'answer' ? undefined : fault);
  if (fault?.kind === 'answer') {
    await responder.send(fault);
    return;
  }
  if (method === 'OPTIONS') {
    response.writeHead(200, CORS).end();
    return;
  }
  const match = router.find(method, path);
  if (match === undefined) {
    await responder.send({ status: 404, body: message('Not Found') });
    return;
  }
  const body = await readBody(request);
  const params = readQuery(query);
  const key = keyOf(request, params);
  params.delete('x-typesense-api-key');
  const user = headerOf(request, USER) ?? params.get(USER) ?? request.socket.remoteAddress ?? '';
  const partial = { engine, method, path, params, captured: namesOf(match, params), body, key, user };
  const embedded = authorise(engine, match, partial);
  if (embedded === undefined) {
    await responder.send({ status: 401, body: message(FORBIDDEN) });
    return;
  }
  if (query.length > MAX_QUERY_LENGTH && !match.route.path.endsWith('/export')) {
    const text = `Query string exceeds max allowed length of ${MAX_QUERY_LENGTH}. Use the /multi_search end-point for larger payloads.`;
    await responder.send({ status: 400, body: message(text) });
    return;
  }
  if (params.get('use_cache') === 'true') statistics.cacheMisses += 1;
  const answer = answerOf({ ...partial, embedded }, match);
  if (answer === SILENCE) return;
  await responder.send(answer);
  statistics.record(method, path, responder.elapsed);
};

const fail = (response: ServerResponse, error: unknown): void => {
  if (response.destroyed) return;
  const text = error instanceof Error ? error.message : String(error);
  if (!response.headersSent) response.writeHead(500, { 'content-type': TYPES.json });
  response.end(message(`The sandbox failed: ${text}`));
};

export const createServer = (options: ServerOptions): Server => {
  const listener: RequestListener = (request, response) => {
    respond(request, response, options).catch((error: unknown) => fail(response, error));
  };
  const server = options.tls === undefined ? createHttpServer(listener) : createHttpsServer(options.tls, listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
};
