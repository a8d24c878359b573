import { createMcpHandler, isInitializeRequest, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server';
import type { AuthInfo, McpHttpHandler, Server } from '@modelcontextprotocol/server';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Principal } from '../../access/principal.ts';
import { MCP_CODES, SESSION_VERSIONS } from '../codes.ts';
import type { McpLimits } from '../limits.ts';
import type { PrincipalCarrier } from '../protocolServer.ts';
import { errorAnswer, withoutNullId } from './answers.ts';
import { authenticate } from './authentication.ts';
import type { TokenVerifier } from './authentication.ts';
import { readJsonBody } from './body.ts';
import { Lockout } from './lockout.ts';
import { refuseOldVersion, toMessage, unsupportedVersion } from './message.ts';
import type { RpcMessage } from './message.ts';
import { refuseForeignSender } from './sender.ts';
import { SessionTable } from './sessionTable.ts';

/** The one path. */
export const MCP_PATH = '/mcp';
const ALLOWED_METHODS = 'POST, DELETE';

/** What the front stands on. */
export interface FrontParts {
  readonly tokens: TokenVerifier;
  readonly carrier: PrincipalCarrier;
  readonly createServer: () => Server;
  readonly limits: McpLimits;
  readonly allowedOrigins: readonly string[];
  readonly onInternalError: (error: unknown) => void;
  readonly now?: () => number;
}

/** A request under way. */
interface UnderWay {
  readonly abort: AbortController;
  /** A stream without an end of its own: stopping does not wait for it. */
  endless: boolean;
}

/**
 * Everything between a socket and the protocol: who may knock, who it is, what is too much, and which of the protocol's two ways of working
 * a message belongs to. One path, one method and a half.
 */
export class Front {
  readonly #parts: FrontParts;
  readonly #lockout: Lockout;
  readonly #sessions: SessionTable;
  readonly #modern: McpHttpHandler;
  readonly #underWay = new Map<string, Set<UnderWay>>();
  #onLeave: (() => void) | undefined;
  #stopping = false;

  constructor(parts: FrontParts) {
    this.#parts = parts;
    this.#lockout = new Lockout(parts.now);
    this.#sessions = new SessionTable(parts.createServer, parts.limits, parts.now);
    this.#modern = createMcpHandler(() => parts.createServer(), {
      legacy: 'reject',
      maxRequestBodySize: parts.limits.bodyBytes,
      maxSubscriptions: parts.limits.subscriptions,
    });
    this.#sessions.startReaping();
  }

  /** Answers one request. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#handle(request, response);
    } catch (error) {
      this.#parts.onInternalError(error);
      if (response.headersSent) response.destroy();
      else await send(response, errorAnswer(500, MCP_CODES.internal, 'Internal error.'));
    }
  }

  /** Cuts everything that goes on for a token, and ends its sessions. */
  async cut(tokenId: string): Promise<void> {
    for (const { abort } of this.#underWay.get(tokenId) ?? []) abort.abort();
    await this.#sessions.close(tokenId);
  }

  /** Takes no more requests, lets those under way finish for a while, then ends streams and sessions. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#until(({ endless }) => endless);
    // Before any socket is closed: subscription streams are owed a proper end.
    await this.#modern.close();
    await this.#sessions.close();
    await this.#until(() => false);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const early = this.#refuseEarly(request);
    if (early !== undefined) return send(response, early);
    const authentication = authenticate(request.headers.authorization, this.#parts.tokens, this.#lockout);
    if (!authentication.ok) return send(response, authentication.answer);
    const { principal } = authentication;

    const underWay: UnderWay = { abort: new AbortController(), endless: false };
    const onClose = (): void => underWay.abort.abort();
    response.once('close', onClose);
    underWay.abort.signal.addEventListener('abort', () => response.destroy(), { once: true });
    const leave = this.#enter(principal.tokenId, underWay);
    try {
      const answer =
        request.method === 'DELETE' ? await this.#endSession(request, principal) : await this.#post(request, principal, underWay);
      if (answer !== undefined) {
        const released = answer.release;
        try {
          await send(response, await withoutNullId(answer.response));
        } finally {
          released?.();
        }
      }
    } finally {
      response.off('close', onClose);
      leave();
    }
  }

  /** All that can be said before it is known who asks, in the order in which it costs least. */
  #refuseEarly(request: IncomingMessage): Response | undefined {
    const foreign = refuseForeignSender(request, this.#parts.allowedOrigins);
    if (foreign !== undefined) return foreign;
    const path = (request.url ?? '').split('?', 1)[0];
    if (path !== MCP_PATH && path !== `${MCP_PATH}/`)
      return errorAnswer(404, MCP_CODES.invalidRequest, `Not found: the path is ${MCP_PATH}.`);
    if (request.method !== 'POST' && request.method !== 'DELETE') {
      return errorAnswer(
        405,
        MCP_CODES.invalidRequest,
        'Method not allowed: notifications travel on the response of their request.',
        {
          headers: { allow: ALLOWED_METHODS },
        },
      );
    }
    if (this.#stopping) {
      return stopping(undefined);
    }
    if (request.method === 'POST') {
      const encoding = request.headers['content-encoding'];
      if (!isJsonContentType(request.headers['content-type']) || (encoding !== undefined && encoding !== 'identity')) {
        return errorAnswer(415, MCP_CODES.invalidRequest, 'Unsupported media type: send application/json, not compressed.');
      }
    }
    return undefined;
  }

  async #post(request: IncomingMessage, principal: Principal, underWay: UnderWay): Promise<Answer | undefined> {
    const { limits } = this.#parts;
    const body = await readJsonBody(request, limits.bodyBytes);
    switch (body.kind) {
      case 'gone':
        return undefined;
      case 'tooLarge':
        return {
          response: errorAnswer(413, MCP_CODES.tooLarge, `The body is larger than ${limits.bodyBytes} bytes.`, {
            headers: { connection: 'close' },
          }),
        };
      case 'notJson':
        return { response: errorAnswer(400, MCP_CODES.parse, 'Parse error: the body is not valid JSON in UTF-8.') };
      case 'json':
    }
    const message = toMessage(body.value);
    if (message instanceof Response) return { response: message };
    underWay.endless = message.method === 'subscriptions/listen';
    const web = toWebRequest(request, underWay.abort.signal);
    const authInfo = this.#parts.carrier.wrap(principal);
    if (await isLegacyRequest(web, message.body)) return this.#postInSession(web, message, principal, authInfo);
    const response = await this.#modern.fetch(web, { parsedBody: message.body, authInfo });
    // The library's word for an exchange that was ended before there was an answer; a client that is still there is told why.
    return { response: response.status === 499 ? stopping(message.id) : response };
  }

  async #postInSession(web: Request, message: RpcMessage, principal: Principal, authInfo: AuthInfo): Promise<Answer> {
    const refused = refuseOldVersion(message) ?? refuseVersionHeader(web, message) ?? refuseAccept(web, message);
    if (refused !== undefined) return { response: refused };
    const sessionId = web.headers.get('mcp-session-id');

    if (message.method === 'initialize' && sessionId === null) {
      if (!isInitializeRequest(message.body)) {
        return {
          response: errorAnswer(400, MCP_CODES.invalidParams, 'initialize needs protocolVersion, capabilities and clientInfo.', {
            id: message.id,
          }),
        };
      }
      const response = await this.#sessions.open(principal, web, { parsedBody: message.body, authInfo });
      return {
        response:
          response ??
          errorAnswer(429, MCP_CODES.rateLimited, 'Rate limited: too many sessions are in use. End some, or try again.', {
            id: message.id,
            headers: { 'retry-after': '1' },
          }),
      };
    }
    if (sessionId === null) {
      return {
        response: errorAnswer(
          400,
          MCP_CODES.invalidRequest,
          'This request has neither a session (Mcp-Session-Id, from initialize) nor the _meta of protocol version 2026-07-28.',
          { id: message.id },
        ),
      };
    }
    const session = this.#sessions.find(sessionId, principal);
    if (session === undefined) return { response: sessionNotFound(message.id) };
    const release = this.#sessions.use(session);
    try {
      return { response: await session.handle(web, { parsedBody: message.body, authInfo }), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #endSession(request: IncomingMessage, principal: Principal): Promise<Answer> {
    const web = toWebRequest(request);
    const sessionId = web.headers.get('mcp-session-id');
    if (sessionId === null) {
      return { response: errorAnswer(400, MCP_CODES.invalidRequest, 'DELETE ends a session: name it in Mcp-Session-Id.') };
    }
    const session = this.#sessions.find(sessionId, principal);
    if (session === undefined) return { response: sessionNotFound(undefined) };
    return { response: await session.handle(web, { authInfo: this.#parts.carrier.wrap(principal) }) };
  }

  #enter(tokenId: string, underWay: UnderWay): () => void {
    const all = this.#underWay.get(tokenId) ?? new Set();
    this.#underWay.set(tokenId, all.add(underWay));
    return () => {
      all.delete(underWay);
      if (all.size === 0) this.#underWay.delete(tokenId);
      this.#onLeave?.();
    };
  }

  /** Waits until every request under way is one of those, or the time for stopping is over. */
  async #until(mayStay: (request: UnderWay) => boolean): Promise<void> {
    const done = (): boolean => [...this.#underWay.values()].every((all) => [...all].every(mayStay));
    if (done()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#parts.limits.stopMilliseconds);
    this.#onLeave = () => {
      if (done()) resolve();
    };
    await promise;
    clearTimeout(timer);
  }
}

interface Answer {
  readonly response: Response;
  /** Called when the answer has been sent. */
  readonly release?: () => void;
}

function stopping(id: RpcMessage['id']): Response {
  return errorAnswer(503, MCP_CODES.unavailable, 'The MCP server is stopping.', { id, headers: { connection: 'close' } });
}

function sessionNotFound(id: RpcMessage['id']): Response {
  return errorAnswer(404, MCP_CODES.sessionNotFound, 'Session not found: begin again with initialize.', { id });
}

function refuseVersionHeader(web: Request, { id }: RpcMessage): Response | undefined {
  const version = web.headers.get('mcp-protocol-version');
  return version === null || SESSION_VERSIONS.includes(version) ? undefined : unsupportedVersion(version, id);
}

const JSON_TYPES = ['application/json', 'application/*', '*/*'];
const STREAM_TYPES = ['text/event-stream', 'text/*', '*/*'];

/** The older versions answer with JSON or a stream as they choose, so that a client must take both. Wildcards count. */
function refuseAccept(web: Request, { id }: RpcMessage): Response | undefined {
  const accepted = (web.headers.get('accept') ?? '*/*')
    .split(',')
    .map((part) => part.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (![JSON_TYPES, STREAM_TYPES].every((types) => types.some((type) => accepted.includes(type)))) {
    return errorAnswer(406, MCP_CODES.invalidRequest, 'Not acceptable: accept application/json and text/event-stream.', { id });
  }
  web.headers.set('accept', 'application/json, text/event-stream');
  return undefined;
}

/** The request as the protocol library takes it: without its body, which is read already, and without the token. */
function toWebRequest(request: IncomingMessage, signal?: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    if (name === 'authorization' || name === 'content-length' || value === undefined) continue;
    for (const item of value) headers.append(name, item);
  }
  return new Request(`http://127.0.0.1${MCP_PATH}`, {
    method: request.method ?? 'POST',
    headers,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Writes an answer as fast as the client takes it. A client that has gone away is no error. */
async function send(response: ServerResponse, answer: Response): Promise<void> {
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  if ((answer.headers.get('content-type') ?? '').startsWith('application/json')) {
    response.end(Buffer.from(await answer.arrayBuffer()));
    return;
  }
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(answer.body), response);
  } catch {
    response.destroy();
  }
}
