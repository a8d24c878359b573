import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostError } from '../common/errors.ts';
import { HEALTH_PATH, METRICS_PATH } from '../common/hostHealth.ts';
import type { HostHealth } from '../common/hostHealth.ts';
import type { Language } from '../common/languages.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import { CHALLENGE_PATH, RESUME_PATH, SESSION_END_PATH, SESSION_KEY_PATH, SESSION_PATH } from '../common/windowSession.ts';
import { DOCUMENTATION_PATH } from '../common/documentationPath.ts';
import { errorReport } from '../runtime/errors/errorReport.ts';
import { ConnectionGuard } from '../runtime/http/connectionGuard.ts';
import { BodyTooLarge } from '../runtime/http/fetchAdapter.ts';
import type { MetricsAnswer } from '../runtime/runtime.ts';
import { PROMETHEUS_TYPE } from '../runtime/measures/prometheusText.ts';
import type { Logger } from '../runtime/storage/logger.ts';
import { DocumentationFiles } from './documentationFiles.ts';
import { entryPage, transportPage } from './pages.ts';
import type { TransportPageName } from './pages.ts';
import { isFromOwnPage, isLedHere, isOpenedPage, isPrefetch, refuseForeign } from './requestGuard.ts';
import { COMMON_HEADERS, contentSecurityPolicy, newNonce } from './securityHeaders.ts';
import { serveApi } from './serveApi.ts';
import { StaticFiles } from './staticFiles.ts';
import { json, say, sendPage } from './responses.ts';
import { pageLanguage, returningPage, windowPage } from './windowPage.ts';
import { SessionStore } from './sessionStore.ts';
import { WindowAccess, windowPath } from './windowAccess.ts';
import { WindowSessions } from './windowSessions.ts';
import { portRefusal } from '../common/portRefusal.ts';

/** How much one client may ask for, and how slowly. */
export interface TransportLimits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly headersMilliseconds: number;
  readonly requestMilliseconds: number;
  /** Open connections. Beyond it, the oldest one that belongs to no window is closed. */
  readonly connections: number;
  /** Milliseconds that a connection may stay open without a request of a window. */
  readonly strangerMilliseconds: number;
}

const LIMITS: TransportLimits = {
  bodyBytes: 16 * 1024 * 1024,
  headerBytes: 16 * 1024,
  headersMilliseconds: 5_000,
  requestMilliseconds: 60_000,
  connections: 256,
  strangerMilliseconds: 10_000,
};
const WINDOW_MISSING = 'The window is missing. Install Tabularium again; in a repository, run "npm run build".';
const KEEP_ALIVE_MILLISECONDS = 5_000;

export interface BrowserTransportOptions {
  /** The runtime's API: everything under `/api/`. */
  readonly handler: FetchHandler;
  /** The built window. */
  readonly rendererFolder: string;
  /** The built documentation, which the window opens; without it there is none. */
  readonly documentationFolder?: string | undefined;
  readonly logger: Logger;
  /** Without one: the port of the host before, where it is free, because its windows wait there; else any that is free. */
  readonly port?: number | undefined;
  /** Where windows are kept that may come back after a restart; without it they end with this host. */
  readonly sessionFile?: string;
  readonly limits?: Partial<TransportLimits>;
  /** Whether the host can be used; default: it can. */
  readonly health?: () => HostHealth;
  /** The host's own metrics, for who shows their token; default: there are none. */
  readonly metrics?: ((authorization: string | undefined, openWindows: number) => Promise<MetricsAnswer>) | undefined;
}

/**
 * The window's way into a browser: a server on 127.0.0.1 that is safe against other users of the machine (a one-time key, then a cookie on a
 * path that cannot be guessed) and against hostile pages (Host, Origin, fetch metadata, Content-Security-Policy).
 */
export class BrowserTransport implements AsyncDisposable {
  readonly #options: BrowserTransportOptions;
  readonly #limits: TransportLimits;
  readonly #server: Server;
  readonly #guard: ConnectionGuard;
  readonly #access = new WindowAccess();
  readonly #files: StaticFiles;
  readonly #documentation: DocumentationFiles | undefined;
  readonly #store: SessionStore;
  readonly #sessions: WindowSessions;
  readonly #stop = new AbortController();
  #port = 0;

  /** @throws HostError `INVALID_REQUEST` for a port that is taken or not allowed */
  static async start(options: BrowserTransportOptions): Promise<BrowserTransport> {
    const store = await SessionStore.open(options.sessionFile, (error) =>
      options.logger.warn(`the sessions of windows could not be saved: ${String(error)}`),
    );
    const transport = new BrowserTransport(options, store);
    await transport.#files.refresh();
    await transport.#listen();
    return transport;
  }

  private constructor(options: BrowserTransportOptions, store: SessionStore) {
    this.#options = options;
    this.#store = store;
    this.#sessions = new WindowSessions(this.#access, store);
    this.#limits = { ...LIMITS, ...options.limits };
    this.#files = new StaticFiles(options.rendererFolder);
    if (options.documentationFolder !== undefined) this.#documentation = new DocumentationFiles(options.documentationFolder);
    this.#server = createServer(
      {
        maxHeaderSize: this.#limits.headerBytes,
        headersTimeout: this.#limits.headersMilliseconds,
        requestTimeout: this.#limits.requestMilliseconds,
        connectionsCheckingInterval: Math.min(1_000, this.#limits.headersMilliseconds),
        keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
        insecureHTTPParser: false,
      },
      (request, response) => void this.#answer(request, response),
    );
    this.#guard = new ConnectionGuard(this.#server, this.#limits, (error) =>
      options.logger.warn(`a connection of the window could not be accepted: ${error.message}`),
    );
    this.#server.on('upgrade', (_request, socket) => socket.destroy());
  }

  /** `http://127.0.0.1:<port>`. */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** An address that opens the window, once. It grants full access, so give it only to the owner of the data directory. */
  newUrl(validity: 'untilUsed' | 'tenMinutes'): string {
    return `${this.origin}/?key=${this.#access.mintKey(validity)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
    await this.#store[Symbol.asyncDispose]();
  }

  async #listen(): Promise<void> {
    const chosen = this.#options.port;
    try {
      await this.#listenOn(chosen ?? this.#store.lastPort);
    } catch (cause) {
      if (chosen !== undefined || this.#store.lastPort === 0) {
        throw portRefusal('The window', chosen ?? 0, cause);
      }
      this.#options.logger.warn(`port ${this.#store.lastPort} is taken, so that the windows of the host before can't come back`);
      await this.#listenOn(0);
    }
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#store.settle(this.#port);
  }

  async #listenOn(port: number): Promise<void> {
    this.#server.listen({ host: '127.0.0.1', port, exclusive: true });
    await once(this.#server, 'listening');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
    response.setHeader('content-security-policy', contentSecurityPolicy());
    response.setHeader('cache-control', 'no-store');
    try {
      await this.#route(request, response);
    } catch (error) {
      this.#fail(response, error);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuseForeign(request, this.#port);
    if (refusal !== undefined) return say(request, response, refusal.status, refusal.sentence);
    const url = new URL(`http://${request.headers.host ?? ''}${request.url ?? '/'}`);
    if (url.pathname === HEALTH_PATH) return this.#health(request, response);
    if (url.pathname === METRICS_PATH) return this.#metrics(request, response);
    if (url.pathname === '/') return this.#enter(request, response, url);
    if (url.pathname === CHALLENGE_PATH || url.pathname === RESUME_PATH) return this.#resume(request, response, url.pathname);
    const window = this.#access.windowOf(url.pathname, request.headers.cookie);
    if (window === undefined) return this.#comeBack(request, response, url.pathname);
    this.#guard.trust(request.socket);
    response.once('close', this.#access.use(window));
    this.#store.touch(window);
    const rest = url.pathname.slice(window.length);
    if (rest === SESSION_PATH || rest === SESSION_KEY_PATH || rest === SESSION_END_PATH) {
      if (!isFromOwnPage(request)) return say(request, response, 403, 'Only the window itself may ask this.');
      if (rest !== SESSION_PATH && request.method !== 'POST') return say(request, response, 405, 'This method is not used here.');
      return json(response, 200, await this.#sessions.answer(request, window, rest));
    }
    if (rest.startsWith('api/')) return this.#api(request, response, new URL(`/${rest}${url.search}`, this.origin));
    if (request.method === 'POST') return say(request, response, 405, 'This method is not used here.');
    if (rest === '') return this.#index(request, response);
    if (rest.startsWith(DOCUMENTATION_PATH)) return this.#documentationFile(request, response, window, rest);
    return this.#file(request, response, rest);
  }

  /** For programs that watch the host, without a key: it has one of three words in it. Pages of other sites get none. */
  #health(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'POST') return say(request, response, 405, 'This method is not used here.');
    if (isLedHere(request)) return say(request, response, 403, 'Pages of other sites have no business here.');
    const health = this.#options.health?.() ?? { status: 'ready' };
    json(response, health.status === 'ready' ? 200 : 503, health);
  }

  async #metrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET') return say(request, response, 405, 'This method is not used here.');
    if (isLedHere(request)) return say(request, response, 403, 'Pages of other sites have no business here.');
    const answer = (await this.#options.metrics?.(request.headers.authorization, this.#access.count)) ?? 'off';
    if (answer === 'off') return say(request, response, 404, 'This host gives no metrics. "tabularium metrics on" makes it.');
    if (answer === 'refused') {
      response.setHeader('www-authenticate', 'Bearer');
      return say(
        request,
        response,
        401,
        'The token of the metrics is missing or wrong. It is in metrics-token of the data directory.',
      );
    }
    response.setHeader('content-type', PROMETHEUS_TYPE);
    response.writeHead(200).end(answer.text);
  }

  /** The one place where another site may lead to: its link opens a page, which shows nothing without a key. */
  async #enter(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const key = url.searchParams.get('key');
    if (key === null || request.method !== 'GET' || !isOpenedPage(request)) return this.#refuse(request, response, 'noAddress');
    if (isPrefetch(request)) return say(request, response, 503, 'A key is not fetched ahead.');
    if (this.#access.isFull()) return this.#page(request, response, 503, 'tooManyWindows');
    const granted = this.#access.redeem(key);
    if (granted === undefined) return this.#page(request, response, 401, 'usedAddress');
    response.setHeader('set-cookie', granted.cookie);
    if (isLedHere(request)) return sendPage(request, response, 200, entryPage(granted.path, await this.#languageOf(request)));
    response.writeHead(303, { location: granted.path }).end();
  }

  /** A window of the host before this one asks to come back. The browser sends no cookie here. */
  async #resume(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (request.method !== 'POST') return say(request, response, 405, 'This method is not used here.');
    if (!isFromOwnPage(request)) return say(request, response, 403, 'Only the window itself may ask this.');
    if (path === CHALLENGE_PATH) return json(response, 200, this.#sessions.newChallenge());
    try {
      json(response, 200, await this.#sessions.resume(request, response));
    } catch (error) {
      if (error instanceof HostError && error.code === 'NOT_SIGNED_IN') return json(response, 401, errorReport(error));
      throw error;
    }
  }

  /** The page of a window that may come back: the window's own files without the runtime's API. Its script proves itself first. */
  async #comeBack(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
    const path = windowPath(pathname);
    if (path === undefined || (request.method !== 'GET' && request.method !== 'HEAD') || !this.#store.knows(path))
      return this.#refuse(request, response);
    const rest = pathname.slice(path.length);
    if (rest.startsWith('assets/')) return this.#file(request, response, rest);
    if (rest === '' && isOpenedPage(request)) return this.#index(request, response, true);
    return this.#refuse(request, response);
  }

  async #api(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (!isFromOwnPage(request)) return say(request, response, 403, 'Only the window itself may ask this.');
    await serveApi(request, response, {
      url,
      handler: this.#options.handler,
      largestBody: this.#limits.bodyBytes,
      signal: this.#stop.signal,
      headers: { ...COMMON_HEADERS, 'content-security-policy': contentSecurityPolicy(), 'cache-control': 'no-store' },
    });
  }

  async #index(request: IncomingMessage, response: ServerResponse, comesBack = false): Promise<void> {
    if (!isOpenedPage(request) || isLedHere(request)) return say(request, response, 403, 'The window is opened by its address.');
    await this.#files.refresh();
    const file = this.#files.find('index.html');
    if (file === undefined) return say(request, response, 404, WINDOW_MISSING);
    const nonce = newNonce();
    const html = (await file.read()).toString('utf8');
    // A window that isn't let in yet learns nothing of what the person has chosen.
    const page = comesBack ? returningPage(html, nonce) : await windowPage(html, nonce, this.#options.handler, this.origin);
    response.setHeader('content-security-policy', contentSecurityPolicy(nonce));
    sendPage(request, response, 200, page);
  }

  async #file(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    if (isLedHere(request)) return say(request, response, 403, 'Pages of other sites have no business here.');
    const file = this.#files.find(name);
    if (file === undefined) return say(request, response, 404, "The file doesn't exist.");
    const content = await file.read().catch(() => undefined);
    if (content === undefined) return say(request, response, 404, 'The file is there no more, or cannot be read.');
    response.setHeader('content-type', file.type);
    response.setHeader('content-length', content.byteLength);
    if (file.immutable) response.setHeader('cache-control', 'private, max-age=31536000, immutable');
    response.writeHead(200).end(request.method === 'HEAD' ? undefined : content);
  }

  async #refuse(request: IncomingMessage, response: ServerResponse, page: TransportPageName = 'notSignedIn'): Promise<void> {
    if (isOpenedPage(request)) return this.#page(request, response, 401, page);
    json(response, 401, errorReport(new HostError('NOT_SIGNED_IN')));
  }

  async #page(request: IncomingMessage, response: ServerResponse, status: number, name: TransportPageName): Promise<void> {
    const nonce = newNonce();
    response.setHeader('content-security-policy', contentSecurityPolicy(nonce));
    sendPage(request, response, status, transportPage(name, await this.#languageOf(request), nonce));
  }

  #languageOf(request: IncomingMessage): Promise<Language> {
    return pageLanguage(request.headers['accept-language'], this.#options.handler, this.origin);
  }

  /** The documentation of this version, behind the window's cookie like the window itself. */
  async #documentationFile(request: IncomingMessage, response: ServerResponse, window: string, rest: string): Promise<void> {
    if (isLedHere(request)) return say(request, response, 403, 'Pages of other sites have no business here.');
    const answer = await this.#documentation?.answer(rest.slice(DOCUMENTATION_PATH.length), `${window}${DOCUMENTATION_PATH}`);
    if (answer === undefined) return say(request, response, 404, 'This host has no documentation.');
    response.writeHead(answer.status, answer.headers).end(request.method === 'HEAD' ? undefined : answer.body);
  }

  #fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    // The rest of the request stays unread.
    response.setHeader('connection', 'close');
    if (error instanceof BodyTooLarge)
      return json(response, 413, errorReport(new HostError('INVALID_REQUEST', 'The request is too large.')));
    if (error instanceof HostError && error.code === 'INVALID_REQUEST') return json(response, 400, errorReport(error));
    this.#options.logger.error('a request of the window failed unexpectedly', error);
    json(response, 500, errorReport(error));
  }
}
