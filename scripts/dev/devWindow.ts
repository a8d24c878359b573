import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { ViteDevServer } from 'vite';
import { DOCUMENTATION_PATH } from '../../host/src/common/documentationPath.ts';
import type { FetchHandler } from '../../host/src/common/fetchHandler.ts';
import { DocumentationFiles } from '../../host/src/web/documentationFiles.ts';
import { isFromOwnPage, isLedHere, isOpenedPage, refuseForeign } from '../../host/src/web/requestGuard.ts';
import { COMMON_HEADERS, contentSecurityPolicy, newNonce } from '../../host/src/web/securityHeaders.ts';
import { serveApi } from '../../host/src/web/serveApi.ts';
import { WindowAccess } from '../../host/src/web/windowAccess.ts';
import type { GrantedWindow } from '../../host/src/web/windowAccess.ts';
import { windowPage } from '../../host/src/web/windowPage.ts';
import { signIn } from './hostRequests.ts';
import { startWindowVite } from './windowVite.ts';
import type { WindowSource } from './windowVite.ts';

const LARGEST_BODY = 16 * 1024 * 1024;

/**
 * The window from its sources: a server on 127.0.0.1 with the transport's own guards (one-time key, cookie, Host, Origin, Content-Security-Policy)
 * in front of Vite, which serves the page, and of a host, which answers the API. The address stays when the host is replaced by a new one.
 */
export class DevWindow implements AsyncDisposable {
  readonly #server: Server;
  readonly #access: WindowAccess;
  /** The one window: every browser that shows a key gets it, because Vite serves one path. */
  readonly #window: GrantedWindow;
  readonly #vite: ViteDevServer;
  readonly #root: string;
  readonly #documentation: DocumentationFiles;
  readonly #stop = new AbortController();
  #host: FetchHandler = async () => new Response('The host is starting.', { status: 503 });

  /** @param port - 0: one that is free */
  static async start(options: WindowSource & { readonly port?: number | undefined }): Promise<DevWindow> {
    const { root, port = 0 } = options;
    const access = new WindowAccess();
    const window = access.redeem(access.mintKey('untilUsed'));
    if (window === undefined) throw new Error('No window was granted.');
    const upgrades = createServer();
    const vite = await startWindowVite({ ...options, base: window.path, upgrades });
    const dev = new DevWindow({ root, access, window, vite, upgrades });
    dev.#server.listen({ host: '127.0.0.1', port, exclusive: true });
    await once(dev.#server, 'listening');
    return dev;
  }

  private constructor(parts: {
    readonly root: string;
    readonly access: WindowAccess;
    readonly window: GrantedWindow;
    readonly vite: ViteDevServer;
    readonly upgrades: Server;
  }) {
    this.#root = parts.root;
    this.#documentation = new DocumentationFiles(join(parts.root, 'host/dist/documentation'));
    this.#access = parts.access;
    this.#window = parts.window;
    this.#vite = parts.vite;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (refuseForeign(request, this.#port) === undefined && this.#isKnown(request))
        parts.upgrades.emit('upgrade', request, socket, head);
      else socket.destroy();
    });
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** An address that opens the window, once. */
  newUrl(): string {
    return `http://127.0.0.1:${this.#port}/?key=${this.#access.mintKey('untilUsed')}`;
  }

  /** From now on API requests go to the host with this one-time address. Open pages load again. */
  async connect(address: string): Promise<void> {
    this.#host = await signIn(address);
    this.#vite.ws.send({ type: 'full-reload' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await this.#vite.close();
    await closed;
  }

  #isKnown(request: IncomingMessage): boolean {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    return this.#access.windowOf(pathname, request.headers.cookie) === this.#window.path;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
    response.setHeader('content-security-policy', contentSecurityPolicy());
    response.setHeader('cache-control', 'no-store');
    try {
      await this.#route(request, response);
    } catch (error) {
      // A page that loads again drops its requests, and a host that is replaced drops its answers.
      if (response.headersSent || response.destroyed) response.destroy();
      else say(response, 502, `The host did not answer: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuseForeign(request, this.#port);
    if (refusal !== undefined) return say(response, refusal.status, refusal.sentence);
    const url = new URL(`http://${request.headers.host ?? ''}${request.url ?? '/'}`);
    if (url.pathname === '/') return this.#enter(request, response, url);
    if (!this.#isKnown(request)) return say(response, 401, 'Open the address that "npm run dev" printed last. It works once.');
    const rest = url.pathname.slice(this.#window.path.length);
    // The sources of the window have a folder of that name, too.
    if (rest.startsWith('api/') && !/\.tsx?$/.test(rest))
      return this.#api(request, response, new URL(`/${rest}${url.search}`, url));
    if (isLedHere(request)) return say(response, 403, 'Other sites cannot use this page.');
    if (rest === '') return this.#page(response, url.origin);
    if (rest.startsWith(DOCUMENTATION_PATH)) {
      const site = `${this.#window.path}${DOCUMENTATION_PATH}`;
      const { status, headers, body } = await this.#documentation.answer(rest.slice(DOCUMENTATION_PATH.length), site);
      response.writeHead(status, headers).end(body);
      return;
    }
    this.#vite.middlewares(request, response, () => say(response, 404, "The file doesn't exist."));
  }

  #enter(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const key = url.searchParams.get('key');
    if (key === null || !isOpenedPage(request) || this.#access.redeem(key) === undefined)
      return say(response, 401, 'Open the address that "npm run dev" printed last. It works once.');
    response.writeHead(303, { location: this.#window.path, 'set-cookie': this.#window.cookie }).end();
    process.stdout.write(`  Another window: ${this.newUrl()}\n`);
  }

  async #api(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (!isFromOwnPage(request)) return say(response, 403, 'Only the window itself may ask this.');
    await serveApi(request, response, {
      url,
      handler: this.#host,
      largestBody: LARGEST_BODY,
      signal: this.#stop.signal,
      headers: { ...COMMON_HEADERS, 'cache-control': 'no-store' },
    });
  }

  async #page(response: ServerResponse, origin: string): Promise<void> {
    const source = await readFile(join(this.#root, 'host/src/renderer/index.html'), 'utf8');
    const html = await this.#vite.transformIndexHtml('/index.html', source);
    const nonce = newNonce();
    const page = await windowPage(html, nonce, this.#host, origin);
    // React's refresh writes one script into the page; it carries the page's nonce, and no other does.
    const policy = contentSecurityPolicy(nonce).replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`);
    response.setHeader('content-security-policy', policy);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  }
}

function say(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${sentence}\n`);
}
