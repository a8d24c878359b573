import { createMcpHandler, isInitializeRequest, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { abortableRequest } from '../../../common/abortableRequest.ts';
import type { ConnectionGuard } from '../../http/connectionGuard.ts';
import { sendAndClose, sendAnswer, sendInstead } from '../../http/fetchAdapter.ts';
import type { ExternalClient } from '../access/externalClient.ts';
import { MCP_CODES, SESSION_VERSIONS } from '../server/codes.ts';
import type { McpLimits } from '../server/limits.ts';
import type { ChangeBus } from '../server/changeBus.ts';
import type { AnyProtocolServer, CallerContext, ProtocolEra } from '../server/protocolServer.ts';
import { RequestCalls } from '../server/requestCalls.ts';
import { errorAnswer, withRightId } from './answers.ts';
import { authenticate, revokedToken } from './authentication.ts';
import type { TokenStore } from '../access/tokenStore.ts';
import { BodyBudget } from './bodyBudget.ts';
import type { BodyShare } from './bodyBudget.ts';
import { readJsonBody } from './body.ts';
import { JSON_SHAPE_LIMITS } from '../../http/jsonShape.ts';
import type { JsonShapeLimits } from '../../http/jsonShape.ts';
import { letPageRead, preflightAnswer } from './crossOrigin.ts';
import { isLargeEnvelope, MOST_ENVELOPE_VALUES } from './largeEnvelope.ts';
import { Lockout } from './lockout.ts';
import { LostCalls } from './lostCalls.ts';
import { refuseOldVersion, toMessage, unsupportedVersion } from './message.ts';
import type { RpcMessage } from './message.ts';
import { refuseParams, refuseSessionParams } from './params.ts';
import type { OAuthDoor } from './oauthDoor.ts';
import { MCP_PATH, protocolRequest } from './protocolRequest.ts';
import { RateLimit } from './rateLimit.ts';
import { RequestsInFlight, TOKEN_REVOKED } from './requestsInFlight.ts';
import type { RequestInFlight } from './requestsInFlight.ts';
import { RESOURCE_METADATA_PATHS, resourceMetadata, resourceMetadataUrl } from './resourceMetadata.ts';
import { refuseForeignSender } from './sender.ts';
import type { McpSessionStore } from './mcpSessionStore.ts';
import { SessionTable } from './sessionTable.ts';
import { withoutHiddenSubscriptions } from './subscriptions.ts';

const ALLOWED_METHODS = 'POST, DELETE';

const SHAPE_MESSAGES: Readonly<Record<keyof JsonShapeLimits, string>> = {
  depth: `The body has values more than ${JSON_SHAPE_LIMITS.depth} levels deep. Send a flatter one.`,
  members: `An object of the body has more than ${JSON_SHAPE_LIMITS.members} members. Send fewer.`,
  nodes: `The body has more than ${JSON_SHAPE_LIMITS.nodes} members, objects and lists. Send it in several calls.`,
  elements: `The lists of the body have more than ${JSON_SHAPE_LIMITS.elements} elements. Send it in several calls.`,
};

const FULL_MESSAGE =
  'Rate limited: the requests that are answered now hold too many bytes. Wait for an answer, or send less at the same time.';

/** The services of the guard. */
export interface RequestGuardParts {
  readonly tokens: Pick<TokenStore, 'verify'>;
  readonly callers: CallerContext;
  readonly createServer: (era: ProtocolEra, method?: string) => AnyProtocolServer;
  readonly bus: ChangeBus;
  /** Without one, sessions end with the guard. */
  readonly sessionStore?: McpSessionStore | undefined;
  readonly requestsPerMinute: () => number;
  /** Called with connections that are authenticated. */
  readonly connections?: Pick<ConnectionGuard, 'trust' | 'distrust'>;
  /** Called with requests that the guard rejected. */
  readonly onTurnedAway?: (report: TurnedAway) => void;
  /** Without one, a person creates every token. */
  readonly oauth?: OAuthDoor | undefined;
  readonly limits: McpLimits;
  readonly allowedOrigins: () => readonly string[];
  readonly onInternalError: (error: unknown) => void;
  readonly now?: () => number;
}

/** A request that got no further than the door. */
export interface TurnedAway {
  readonly outcome: 'refused' | 'limited';
  readonly code: 'UNAUTHENTICATED' | 'LOCKED_OUT' | 'RATE_LIMITED';
  /** Known when it was turned away for asking too much. */
  readonly principal?: ExternalClient;
}

/** Characters of a number in an error. */
const LONGEST_NUMBER = 60;
/** The longest time that a timer of Node takes. */
const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;

/**
 * Everything between a socket and the protocol: who may knock, who it is, what is too much, and which of the protocol's two ways of working
 * a message belongs to. One path, one method and a half.
 */
export class RequestGuard {
  readonly #parts: RequestGuardParts;
  readonly #lockout: Lockout;
  readonly #rate: RateLimit;
  readonly #bodies: BodyBudget;
  readonly #sessions: SessionTable;
  readonly #modern: McpHttpHandler;
  readonly #inFlight = new RequestsInFlight();
  readonly #lostCalls = new LostCalls();
  /** Takes no new requests. */
  #stopping = false;
  /** Answers none any more. */
  #stopped = false;

  constructor(parts: RequestGuardParts) {
    this.#parts = parts;
    this.#lockout = new Lockout(parts.now);
    this.#rate = new RateLimit(
      () => ({ requestsPerMinute: parts.requestsPerMinute(), requestsAtOnce: parts.limits.requestsAtOnce }),
      parts.now,
    );
    this.#bodies = new BodyBudget(parts.limits);
    this.#sessions = new SessionTable({
      createServer: () => parts.createServer('session'),
      limits: parts.limits,
      store: parts.sessionStore,
      now: parts.now,
    });
    this.#modern = createMcpHandler(
      ({ requestInfo }) => parts.createServer('stateless', requestInfo?.headers.get('mcp-method') ?? undefined),
      {
        legacy: 'reject',
        bus: parts.bus,
        maxRequestBodySize: parts.limits.bodyBytes,
        maxSubscriptions: parts.limits.subscriptions,
      },
    );
    this.#sessions.startReaping();
  }

  /** Answers one request. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#handle(request, response);
    } catch (error) {
      this.#parts.onInternalError(error);
      if (response.headersSent) response.destroy();
      else await sendAnswer(response, errorAnswer(500, MCP_CODES.internal, 'Internal error.'));
    }
  }

  /**
   * Cuts everything that runs for a token, and ends the sessions of its principal.
   *
   * @param reason - {@link TOKEN_REVOKED}: calls are answered with that; else their connections are closed
   */
  async cut(tokenId: string, principalId: string = tokenId, reason?: symbol): Promise<void> {
    this.#inFlight.abort(tokenId, reason);
    await this.#sessions.close(principalId);
  }

  /** How many requests and streams run for a token. */
  inFlight(tokenId: string): number {
    return this.#inFlight.countOfToken(tokenId);
  }

  /** Takes no more requests, lets running ones finish for a while, then ends streams and sessions. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const { stopMilliseconds } = this.#parts.limits;
    await this.#inFlight.until(({ endless }) => endless, stopMilliseconds);
    this.#stopped = true;
    // Before any socket is closed: subscription streams are owed a proper end.
    await this.#modern.close();
    await this.#sessions.close();
    await this.#inFlight.until(() => false, stopMilliseconds);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const allowedOrigins = this.#parts.allowedOrigins();
    letPageRead(request, response, allowedOrigins);
    const early = this.#refuseEarly(request, allowedOrigins);
    if (early !== undefined) return sendAndClose(request, response, early);
    const signingIn = await this.#signIn(request, allowedOrigins);
    if (signingIn !== undefined) return sendAndClose(request, response, signingIn);
    const authentication = authenticate(
      request.headers.authorization,
      this.#parts.tokens,
      this.#lockout,
      resourceMetadataUrl(request),
    );
    if (!authentication.ok) {
      const limited = authentication.answer.status === 429;
      this.#parts.onTurnedAway?.({ outcome: limited ? 'limited' : 'refused', code: limited ? 'LOCKED_OUT' : 'UNAUTHENTICATED' });
      this.#parts.connections?.distrust(request.socket);
      return sendAndClose(request, response, authentication.answer);
    }
    this.#parts.connections?.trust(request.socket);
    const { principal } = authentication;
    const tooMuch = this.#limit(principal);
    if (tooMuch !== undefined) {
      this.#parts.onTurnedAway?.({ outcome: 'limited', code: 'RATE_LIMITED', principal });
      return sendAnswer(response, tooMuch);
    }

    const calls = new RequestCalls();
    const inFlight: RequestInFlight = { principalId: principal.id, abort: new AbortController(), calls, endless: false };
    // It closes after every answer too; then there is nothing left to abort.
    const onClose = (): void => {
      if (!response.writableFinished) inFlight.abort.abort();
    };
    response.once('close', onClose);
    const onAbort = (): void => {
      if (inFlight.abort.signal.reason === TOKEN_REVOKED && !inFlight.endless)
        void sendInstead(response, revokedToken(resourceMetadataUrl(request), inFlight.id)).catch(() => response.destroy());
      else response.destroy();
    };
    inFlight.abort.signal.addEventListener('abort', onAbort, { once: true });
    const leave = this.#inFlight.enter(principal.tokenId, inFlight);
    const share = this.#bodies.open(principal.id);
    try {
      const answer =
        request.method === 'POST'
          ? await this.#post(request, principal, inFlight, share)
          : await this.#withoutBody(request, principal);
      if (answer !== undefined) {
        try {
          await sendAnswer(response, await withRightId(answer.response, answer.id));
        } finally {
          await this.#callsEnded(calls, inFlight);
          answer.release?.();
        }
      }
    } finally {
      response.off('close', onClose);
      share.release();
      leave();
    }
  }

  /** A call whose client has hung up still works and holds its arguments, so its request leaves when it has ended. */
  async #callsEnded(calls: RequestCalls, { abort }: RequestInFlight): Promise<void> {
    // The library begins a call some turns of the queue after it has taken the message.
    if (abort.signal.aborted) await nextTurn();
    await calls.ended();
  }

  /** Open to every client of this machine: it holds what the 401 says too. */
  #metadata(request: IncomingMessage, allowedOrigins: readonly string[]): Response {
    const preflight = preflightAnswer(request, allowedOrigins, 'GET');
    if (preflight !== undefined) return preflight;
    if (request.method !== 'GET') {
      return errorAnswer(405, MCP_CODES.invalidRequest, 'Method not allowed: read this with GET.', { headers: { allow: 'GET' } });
    }
    const issuer = this.#parts.oauth?.issuer(request);
    return Response.json(resourceMetadata(request, issuer), { headers: { 'cache-control': 'no-store' } });
  }

  /** A client that signs in has no token yet: these paths are for strangers. */
  async #signIn(request: IncomingMessage, allowedOrigins: readonly string[]): Promise<Response | undefined> {
    const { oauth, onTurnedAway } = this.#parts;
    const method = oauth?.methodOf(pathOf(request));
    if (oauth === undefined || method === undefined) return undefined;
    const preflight = preflightAnswer(request, allowedOrigins, method);
    if (preflight !== undefined) return preflight;
    if (this.#stopping) return stopping(undefined);
    this.#parts.connections?.distrust(request.socket);
    return oauth.answer(request, {
      countWrong: () => {
        const seconds = this.#lockout.countWrong();
        onTurnedAway?.(
          seconds > 0 ? { outcome: 'limited', code: 'LOCKED_OUT' } : { outcome: 'refused', code: 'UNAUTHENTICATED' },
        );
        return seconds;
      },
    });
  }

  #limit({ id }: ExternalClient): Response | undefined {
    const seconds = this.#rate.take(id);
    const atOnce = this.#inFlight.countOf(id) >= this.#parts.limits.requestsAtOnce;
    if (seconds === 0 && !atOnce) return undefined;
    const wait = Math.max(1, seconds);
    const what = atOnce ? 'too many requests at the same time' : 'too many requests';
    return errorAnswer(429, MCP_CODES.rateLimited, `Rate limited: ${what}. Try again in ${wait} seconds.`, {
      headers: { 'retry-after': String(wait) },
      data: { retryAfterSeconds: wait },
    });
  }

  /** A stream ends with its token, however long it would run. The bridge continues with its next one. */
  #endWithToken({ kind, expiresAt }: ExternalClient, { abort }: RequestInFlight): void {
    if (expiresAt === undefined || kind === 'bridge') return;
    const now = this.#parts.now ?? Date.now;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const left = Date.parse(expiresAt) - now();
      if (left <= 0) abort.abort();
      else timer = setTimeout(wait, Math.min(left, LONGEST_TIMER_MILLISECONDS)).unref();
    };
    wait();
    abort.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  /** All that can be said before it is known who asks, in the order in which it costs least. */
  #refuseEarly(request: IncomingMessage, allowedOrigins: readonly string[]): Response | undefined {
    const foreign = refuseForeignSender(request, allowedOrigins);
    if (foreign !== undefined) return foreign;
    const path = pathOf(request);
    if (RESOURCE_METADATA_PATHS.includes(path)) return this.#metadata(request, allowedOrigins);
    if (this.#parts.oauth?.methodOf(path) !== undefined) return undefined;
    if (path !== MCP_PATH && path !== `${MCP_PATH}/`) {
      return errorAnswer(404, MCP_CODES.invalidRequest, `Not found: the path is ${MCP_PATH}.`);
    }
    const preflight = preflightAnswer(request, allowedOrigins, ALLOWED_METHODS);
    if (preflight !== undefined) return preflight;
    if (request.method !== 'POST' && request.method !== 'DELETE' && !LostCalls.asksForOne(request)) return methodNotAllowed();
    if (this.#stopping) return stopping(undefined);
    if (request.method === 'POST') {
      const encoding = request.headers['content-encoding'];
      if (!isJsonContentType(request.headers['content-type']) || (encoding !== undefined && encoding !== 'identity')) {
        return errorAnswer(415, MCP_CODES.invalidRequest, 'Unsupported media type: send application/json, not compressed.');
      }
    }
    return undefined;
  }

  async #post(
    request: IncomingMessage,
    principal: ExternalClient,
    inFlight: RequestInFlight,
    share: BodyShare,
  ): Promise<Answer | undefined> {
    const { limits } = this.#parts;
    const body = await readJsonBody(request, limits.bodyBytes, share);
    switch (body.kind) {
      case 'gone':
        return undefined;
      case 'tooLarge':
        return {
          response: errorAnswer(413, MCP_CODES.tooLarge, `The body is larger than ${limits.bodyBytes} bytes.`, {
            headers: { connection: 'close' },
          }),
        };
      case 'full':
        this.#parts.onTurnedAway?.({ outcome: 'limited', code: 'RATE_LIMITED', principal });
        return {
          response: errorAnswer(429, MCP_CODES.rateLimited, FULL_MESSAGE, {
            headers: { 'retry-after': '1', connection: 'close' },
            data: { retryAfterSeconds: 1 },
          }),
        };
      case 'shape':
        return { response: errorAnswer(413, MCP_CODES.tooLarge, SHAPE_MESSAGES[body.exceeded]) };
      case 'notJson':
        return { response: errorAnswer(400, MCP_CODES.parse, 'Parse error: the body is not valid JSON in UTF-8.') };
      case 'json':
    }
    const sent = toMessage(body.value);
    if (sent instanceof Response) return { response: sent };
    let message = sent;
    inFlight.id = message.id;
    if (isLargeEnvelope(message)) {
      const words = `The message holds more than ${MOST_ENVELOPE_VALUES} values beside the arguments of a tool. Send fewer.`;
      return { response: errorAnswer(413, MCP_CODES.tooLarge, words, { id: message.id }) };
    }
    const wrong = refuseParams(message);
    if (wrong !== undefined) return { response: wrong };
    if (body.inexact !== undefined && message.method === 'tools/call')
      return { response: inexactNumberAnswer(body.inexact, message.id) };
    if (this.#stopped) return { response: stopping(message.id) };
    if (message.method === 'subscriptions/listen') {
      if (this.#inFlight.countEndlessOf(principal.id) >= limits.subscriptionsPerPrincipal) {
        return { response: tooManySubscriptions(limits.subscriptionsPerPrincipal, message.id) };
      }
      inFlight.endless = true;
    }
    const web = protocolRequest(request);
    const authInfo = this.#parts.callers.wrap({ principal, connection: inFlight.abort.signal, calls: inFlight.calls });
    // A session does not end a call with its connection, so only the other way of working has the signal (17 µs of a request).
    if (await isLegacyRequest(web, message.body)) return this.#postInSession(web, message, principal, authInfo);
    if (inFlight.endless) {
      const visible = withoutHiddenSubscriptions(message, this.#parts.bus.accessOf(principal));
      if (visible instanceof Response) return { response: visible };
      message = visible;
      this.#endWithToken(principal, inFlight);
    }
    const response = await this.#parts.bus.runFor(principal, () =>
      this.#modern.fetch(abortableRequest(web, { signal: inFlight.abort.signal }), { parsedBody: message.body, authInfo }),
    );
    // The library's word for an exchange that was ended before there was an answer; a client that is still there gets the reason.
    return { response: response.status === 499 ? stopping(message.id) : response, id: message.id };
  }

  async #postInSession(web: Request, message: RpcMessage, principal: ExternalClient, authInfo: AuthInfo): Promise<Answer> {
    const refused =
      refuseOldVersion(message) ??
      refuseVersionHeader(web, message) ??
      refuseAccept(web, message) ??
      refuseSessionParams(message);
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
    const session = await this.#sessions.find(sessionId, principal, authInfo);
    if (session === undefined) return { response: sessionNotFound(message.id) };
    const release = this.#sessions.use(session);
    try {
      const response = await session.handle(web, { parsedBody: message.body, authInfo });
      return { response: this.#lostCalls.resumable(response, web, message.id), id: message.id, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Ends a session, or says what became of one of its calls. */
  async #withoutBody(request: IncomingMessage, principal: ExternalClient): Promise<Answer> {
    const web = protocolRequest(request);
    const sessionId = web.headers.get('mcp-session-id');
    if (sessionId === null) {
      const does = request.method === 'GET' ? 'GET asks for the answer of a call' : 'DELETE ends a session';
      return { response: errorAnswer(400, MCP_CODES.invalidRequest, `${does}: name its session in Mcp-Session-Id.`) };
    }
    const authInfo = this.#parts.callers.wrap({ principal });
    const session = await this.#sessions.find(sessionId, principal, authInfo);
    if (session === undefined) return { response: sessionNotFound(undefined) };
    if (request.method === 'GET') return { response: this.#lostCalls.answer(web) ?? methodNotAllowed() };
    return { response: await session.handle(web, { authInfo }) };
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

interface Answer {
  readonly response: Response;
  /** The id of the request, where the library may have lost it. */
  readonly id?: RpcMessage['id'];
  /** Called when the answer has been sent. */
  readonly release?: () => void;
}

function tooManySubscriptions(most: number, id: RpcMessage['id']): Response {
  const message = `Rate limited: ${most} subscriptions of this client are open. End one, or name more resources in one of them.`;
  return errorAnswer(429, MCP_CODES.rateLimited, message, { id, headers: { 'retry-after': '1' } });
}

function methodNotAllowed(): Response {
  const message = 'Method not allowed: notifications travel on the response of their request.';
  return errorAnswer(405, MCP_CODES.invalidRequest, message, { headers: { allow: ALLOWED_METHODS } });
}

/** Rounded, a key would name another row, and a value would be another one. */
function inexactNumberAnswer(number: string, id: RpcMessage['id']): Response {
  const shown = number.length <= LONGEST_NUMBER ? number : `${number.slice(0, LONGEST_NUMBER)}…`;
  const words = `The number ${shown} has more digits than a number of JSON holds for most programs. Nothing was done. Send it as a string of its digits, and a JSON value that holds it as a string of JSON.`;
  return errorAnswer(200, MCP_CODES.invalidParams, words, { id });
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
