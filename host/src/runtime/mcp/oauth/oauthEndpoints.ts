import { isJsonContentType } from '@modelcontextprotocol/server';
import type { IncomingMessage } from 'node:http';
import type { Language } from '../../../common/languages.ts';
import { speak } from '../../../common/languages.ts';
import { HostError } from '../../../common/errors.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';
import { PreferencesStore } from '../../workspace/preferencesStore.ts';
import { IntegrationSettingsStore } from '../access/integrationSettings.ts';
import { TokenStore } from '../access/tokenStore.ts';
import { readBytes } from '../http/body.ts';
import type { OAuthDoor, OAuthGuard } from '../http/oauthDoor.ts';
import { originOfRequest, resourceOf } from '../http/resourceMetadata.ts';
import { AuthorizationCodes } from './authorizationCodes.ts';
import { authorizationPage, PAGE_HEADERS, WAIT_SCRIPT } from './authorizationPage.ts';
import type { ShownRequest, PageState } from './authorizationPage.ts';
import {
  AUTHORIZE_PATH,
  authorizationServerMetadata,
  REGISTER_PATH,
  SERVER_METADATA_PATH,
  TOKEN_PATH,
  WAIT_PATH,
  WAIT_SCRIPT_PATH,
  WAIT_STATE_PATH,
} from './authorizationServerMetadata.ts';
import { isThisServer, readAuthorization } from './authorizeRequest.ts';
import { ConsentQueue } from './consentQueue.ts';
import type { Consent } from './consentQueue.ts';
import { OAuthClientStore } from './oauthClientStore.ts';
import { OAuthGrantStore } from './oauthGrantStore.ts';
import type { GrantedTokens } from './oauthGrantStore.ts';
import { readParameters } from './parameters.ts';
import type { Parameters } from './parameters.ts';
import { withParameters } from './redirectUri.ts';
import { readRegistration } from './registration.ts';

/** Bytes of a body. */
const MOST_BODY_BYTES = 16_384;
const DAY_MILLISECONDS = 86_400_000;
const OFF = 'OAuth is switched off. Switch it on in Tabularium (Settings, Integrations, Server), or create a token there.';

export interface OAuthParts {
  readonly enabled: () => boolean;
  /** The language that the person chose for the window, for tags such as `de-AT`. */
  readonly language: (preferred: readonly string[]) => Language;
  readonly clients: OAuthClientStore;
  readonly consents: ConsentQueue;
  readonly codes: AuthorizationCodes;
  readonly grants: OAuthGrantStore;
  readonly tokens: Pick<TokenStore, 'revoke'>;
  readonly now?: () => number;
}

interface Route {
  readonly method: 'GET' | 'POST';
  readonly answer: (request: IncomingMessage, guard: OAuthGuard) => Response | Promise<Response>;
  /** For the tab of a browser. */
  readonly shown?: true;
}

/** The authorization server: clients register and redeem, browsers wait, and a person answers in the window. Nothing here allows anything. */
export class OAuthEndpoints implements OAuthDoor {
  static readonly inject: Inject<typeof OAuthEndpoints> = {
    enabled: from([IntegrationSettingsStore], (settings) => () => settings.get().oauth),
    language: from([PreferencesStore], (preferences) => (preferred) => speak(preferences.get().language, preferred).language),
    clients: OAuthClientStore,
    consents: ConsentQueue,
    codes: AuthorizationCodes,
    grants: OAuthGrantStore,
    tokens: TokenStore,
  };

  readonly #parts: OAuthParts;
  readonly #now: () => number;
  readonly #grantedListeners = new Set<(tokenId: string, tokenName: string) => void>();
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(parts: OAuthParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#routes = new Map<string, Route>([
      [SERVER_METADATA_PATH, { method: 'GET', answer: (request) => this.#metadata(request) }],
      [REGISTER_PATH, { method: 'POST', answer: (request) => this.#register(request) }],
      [TOKEN_PATH, { method: 'POST', answer: (request, guard) => this.#token(request, guard) }],
      [AUTHORIZE_PATH, { method: 'GET', shown: true, answer: (request) => this.#authorize(request) }],
      [WAIT_PATH, { method: 'GET', shown: true, answer: (request) => this.#wait(request) }],
      [WAIT_STATE_PATH, { method: 'GET', answer: (request) => this.#state(request) }],
      [WAIT_SCRIPT_PATH, { method: 'GET', answer: waitScript }],
    ]);
  }

  /** Calls back when a client redeemed what a person allowed. */
  onGranted(listener: (tokenId: string, tokenName: string) => void): () => void {
    this.#grantedListeners.add(listener);
    return () => this.#grantedListeners.delete(listener);
  }

  /** Ends what waits: OAuth was switched off. */
  turnedOff(): void {
    this.#parts.consents.clear();
    this.#parts.codes.clear();
  }

  issuer(request: IncomingMessage): string | undefined {
    return this.#parts.enabled() ? originOfRequest(request) : undefined;
  }

  methodOf(path: string): 'GET' | 'POST' | undefined {
    return this.#routes.get(path)?.method;
  }

  async answer(request: IncomingMessage, guard: OAuthGuard): Promise<Response> {
    const route = this.#routes.get(pathOf(request));
    if (route === undefined || request.method !== route.method) {
      const headers = route === undefined ? undefined : { allow: route.method };
      return oauthError(405, 'invalid_request', 'Method not allowed', headers);
    }
    if (!this.#parts.enabled()) return route.shown ? this.#page('off', request) : oauthError(403, 'access_denied', OFF);
    if (route.shown && !isShown(request)) {
      return oauthError(403, 'invalid_request', 'This page is for the tab of a browser, not for another page');
    }
    return route.answer(request, guard);
  }

  #metadata(request: IncomingMessage): Response {
    return Response.json(authorizationServerMetadata(originOfRequest(request)), { headers: { 'cache-control': 'no-store' } });
  }

  async #register(request: IncomingMessage): Promise<Response> {
    if (!isJsonContentType(request.headers['content-type'])) {
      return oauthError(415, 'invalid_client_metadata', 'Send application/json');
    }
    const body = await readText(request);
    if (body === undefined) return tooLarge();
    const read = readRegistration(parsed(body));
    if ('error' in read) return oauthError(400, read.error, read.description);
    const client = this.#parts.clients.register(read);
    if (client === undefined) {
      return oauthError(429, 'temporarily_unavailable', 'Too many clients register. Try again in a minute', {
        'retry-after': '60',
      });
    }
    return Response.json(
      {
        client_id: client.id,
        client_id_issued_at: Math.floor(this.#now() / 1_000),
        client_name: client.name,
        redirect_uris: client.redirects,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
      { status: 201, headers: { 'cache-control': 'no-store' } },
    );
  }

  /** Puts the question. Nothing is stored: the question is in memory, and there are few. */
  #authorize(request: IncomingMessage): Response {
    const parameters = parametersOf(request);
    if (parameters === undefined) return this.#page('invalid', request);
    const issuer = originOfRequest(request);
    const read = readAuthorization(parameters, {
      find: (id) => this.#parts.clients.find(id),
      issuer,
      resource: resourceOf(request),
    });
    if (read.kind === 'page') return this.#page(read.problem, request);
    if (read.kind === 'redirect') {
      const { redirect, error, description, state } = read;
      return leadTo(withParameters(redirect, { error, error_description: description, state, iss: issuer }));
    }
    const consent = this.#parts.consents.ask(read.request);
    if (consent === undefined) return this.#page('busy', request);
    return leadTo(`${WAIT_PATH}?request=${consent.id}`);
  }

  /** Shows how far the question is, and leads the browser back to the client, once. */
  #wait(request: IncomingMessage): Response {
    const consent = this.#consentOf(request);
    if (consent === undefined) return this.#page('expired', request);
    if (consent.phase === 'waiting') return this.#page(this.#stateOf(consent), request, consent);
    if (consent.phase === 'expired') return this.#page('expired', request, { ...consent, back: deniedAddress(consent) });
    if (!this.#parts.consents.takeReturn(consent.id)) return this.#page(consent.phase, request);
    if (consent.decision === undefined) return leadTo(deniedAddress(consent));
    const code = this.#parts.codes.issue(consent, consent.decision);
    const { redirect, state, issuer } = consent.request;
    return leadTo(withParameters(redirect, { code, state, iss: issuer }));
  }

  #state(request: IncomingMessage): Response {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin') return oauthError(403, 'invalid_request', 'Not for other pages');
    const consent = this.#consentOf(request);
    return new Response(consent === undefined ? 'expired' : this.#stateOf(consent), {
      headers: { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' },
    });
  }

  async #token(request: IncomingMessage, guard: OAuthGuard): Promise<Response> {
    if (!/^application\/x-www-form-urlencoded *(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
      return oauthError(415, 'invalid_request', 'Send application/x-www-form-urlencoded');
    }
    const body = await readText(request);
    if (body === undefined) return tooLarge();
    const parameters = readParameters(body);
    if (parameters === undefined) return oauthError(400, 'invalid_request', 'A parameter is there twice or too long');
    if (!isThisServer(parameters.get('resource'), resourceOf(request))) {
      return oauthError(400, 'invalid_target', `resource must be ${resourceOf(request)}`);
    }
    switch (parameters.get('grant_type')) {
      case 'authorization_code':
        return this.#redeem(parameters, request, guard);
      case 'refresh_token':
        return this.#refresh(parameters, guard);
      default:
        return oauthError(400, 'unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
    }
  }

  #redeem(parameters: Parameters, request: IncomingMessage, guard: OAuthGuard): Response {
    const { clients, codes, grants, tokens } = this.#parts;
    const redeemed = codes.redeem(parameters.get('code') ?? '', {
      clientId: parameters.get('client_id'),
      redirect: parameters.get('redirect_uri'),
      verifier: parameters.get('code_verifier'),
      resource: resourceOf(request),
    });
    if (redeemed.outcome === 'unknown') return wrong(guard, 'The code is unknown');
    if (redeemed.outcome === 'reused') {
      // A code that comes twice was seen by somebody else: what it gave ends.
      if (redeemed.tokenId !== undefined) tokens.revoke(redeemed.tokenId);
      return oauthError(400, 'invalid_grant', 'The code was used before');
    }
    if (redeemed.outcome === 'refused') {
      const words = 'The code has expired, or belongs to another client, address, verifier or resource';
      return redeemed.proof ? oauthError(400, 'invalid_grant', words) : wrong(guard, words);
    }
    const { consent, decision, settle } = redeemed;
    const { client } = consent.request;
    try {
      const granted = grants.grant({
        clientId: client.id,
        clientName: client.name,
        scope: decision.scope,
        connections: decision.connections,
        expiresAt: new Date(this.#now() + decision.days * DAY_MILLISECONDS),
      });
      settle(granted.tokenId);
      clients.noteUse(client.id);
      for (const listener of this.#grantedListeners) listener(granted.tokenId, client.name);
      return tokenAnswer(granted);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return oauthError(503, 'temporarily_unavailable', printable(error.message));
    }
  }

  #refresh(parameters: Parameters, guard: OAuthGuard): Response {
    const refreshed = this.#parts.grants.refresh(parameters.get('refresh_token') ?? '', parameters.get('client_id') ?? '');
    switch (refreshed.outcome) {
      case 'granted':
        return tokenAnswer(refreshed.tokens);
      case 'unknown':
        return wrong(guard, 'The refresh token is unknown');
      case 'reused':
        return oauthError(400, 'invalid_grant', 'The refresh token was used before, so all access of this sign-in has ended');
      case 'refused':
        return oauthError(400, 'invalid_grant', 'The access has expired, was revoked, or is of another client');
    }
  }

  #consentOf(request: IncomingMessage): Consent | undefined {
    return this.#parts.consents.find(parametersOf(request)?.get('request') ?? '');
  }

  #stateOf({ phase }: Consent): Extract<PageState, Consent['phase'] | 'noWindow'> {
    return phase === 'waiting' && !this.#parts.consents.isWatched ? 'noWindow' : phase;
  }

  #page(state: PageState, request: IncomingMessage, about?: ShownRequest): Response {
    return authorizationPage(state, this.#parts.language(preferredLanguages(request)), about);
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function parametersOf({ url = '' }: IncomingMessage): Parameters | undefined {
  const from = url.indexOf('?');
  return readParameters(from === -1 ? '' : url.slice(from + 1));
}

function preferredLanguages(request: IncomingMessage): readonly string[] {
  return (request.headers['accept-language'] ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => part.split(';', 1)[0]?.trim() ?? '');
}

/** Whether a browser shows it as a page of its own. An image, a frame, a script or a guess ahead must not put a question to a person. */
function isShown({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-mode': mode } = headers;
  if (headers['sec-purpose'] !== undefined || headers['purpose'] !== undefined) return false;
  return (destination === undefined || destination === 'document') && (mode === undefined || mode === 'navigate');
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const bytes = await readBytes(request, MOST_BODY_BYTES, undefined);
  return typeof bytes === 'string' ? undefined : bytes.toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where the client learns that it got no access. */
function deniedAddress({ request, phase }: Consent): string {
  const { redirect, state, issuer } = request;
  const description = phase === 'expired' ? 'No one answered in time' : 'Denied in the window of Tabularium';
  return withParameters(redirect, { error: 'access_denied', error_description: description, state, iss: issuer });
}

function leadTo(location: string): Response {
  return new Response(null, { status: 303, headers: { ...PAGE_HEADERS, location } });
}

function waitScript(): Response {
  return new Response(WAIT_SCRIPT, { headers: { ...PAGE_HEADERS, 'content-type': 'text/javascript; charset=utf-8' } });
}

function tokenAnswer({ access, refresh, scope, expiresInSeconds }: GrantedTokens): Response {
  return Response.json(
    { access_token: access, token_type: 'Bearer', expires_in: expiresInSeconds, refresh_token: refresh, scope },
    { headers: { 'cache-control': 'no-store', pragma: 'no-cache' } },
  );
}

/** A text that was never right counts for the lockout, as a wrong token does. */
function wrong(guard: OAuthGuard, description: string): Response {
  const seconds = guard.countWrong();
  if (seconds === 0) return oauthError(400, 'invalid_grant', description);
  const words = `Too many wrong codes and tokens. Try again in ${seconds} seconds`;
  return oauthError(429, 'temporarily_unavailable', words, { 'retry-after': String(seconds) });
}

function tooLarge(): Response {
  return oauthError(413, 'invalid_request', `The body is larger than ${MOST_BODY_BYTES} bytes`);
}

/** An error of RFC 6749. Its description has printable ASCII alone. */
function oauthError(
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(
    { error, error_description: description },
    { status, headers: { 'cache-control': 'no-store', pragma: 'no-cache', ...headers } },
  );
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]|["\\]/g, ' ');
}
