import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostError } from '../common/errors.ts';
import { ConnectionGuard } from '../runtime/http/connectionGuard.ts';
import { DOCUMENTATION_NOT_BUILT, DocumentationFiles } from './documentationFiles.ts';
import { refuseForeign } from './requestGuard.ts';
import { COMMON_HEADERS, contentSecurityPolicy } from './securityHeaders.ts';
import { portRefusal } from '../common/portRefusal.ts';

/** How much one client may ask for, and how slowly. */
const LIMITS = { connections: 128, strangerMilliseconds: 10_000, headerBytes: 16 * 1024, headersMilliseconds: 5_000 };

export interface DocumentationServerOptions {
  /** The built documentation. */
  readonly folder: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly onRefused?: (error: Error) => void;
}

/**
 * The documentation on 127.0.0.1, for a browser. It has no key and no cookie: the same pages are in every package of this version, and
 * the server reads nothing else. It answers GET and HEAD, changes nothing, and refuses names of this computer that somebody else's DNS made.
 */
export class DocumentationServer implements AsyncDisposable {
  readonly #files: DocumentationFiles;
  readonly #server: Server;
  #port = 0;

  /** @throws HostError `INVALID_REQUEST` where the documentation is not built, and for a port that is taken */
  static async start(options: DocumentationServerOptions): Promise<DocumentationServer> {
    const server = new DocumentationServer(options);
    if (!(await server.#files.exists())) {
      const { message, advice } = DOCUMENTATION_NOT_BUILT;
      throw new HostError('INVALID_REQUEST', message, { details: { advice } });
    }
    await server.#listen(options.port);
    return server;
  }

  private constructor({ folder, onRefused = () => undefined }: DocumentationServerOptions) {
    this.#files = new DocumentationFiles(folder);
    this.#server = createServer(
      { maxHeaderSize: LIMITS.headerBytes, headersTimeout: LIMITS.headersMilliseconds, insecureHTTPParser: false },
      (request, response) => void this.#answer(request, response),
    );
    new ConnectionGuard(this.#server, LIMITS, onRefused);
    this.#server.on('upgrade', (_request, socket) => socket.destroy());
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #listen(port: number): Promise<void> {
    try {
      this.#server.listen({ host: '127.0.0.1', port, exclusive: true });
      await once(this.#server, 'listening');
    } catch (cause) {
      throw portRefusal('The documentation', port, cause);
    }
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
    response.setHeader('content-security-policy', contentSecurityPolicy());
    response.setHeader('cache-control', 'no-cache');
    try {
      await this.#route(request, response);
    } catch {
      // A build that replaces the file meanwhile.
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const foreign = refuseForeign(request, this.#port);
    const refusal = isReading ? foreign : { status: 405, sentence: 'The documentation is only read.' };
    if (refusal !== undefined) {
      if (!isReading) response.setHeader('allow', 'GET, HEAD').setHeader('connection', 'close');
      response.writeHead(refusal.status, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(request.method === 'HEAD' ? undefined : `${refusal.sentence}\n`);
      return;
    }
    const { pathname } = new URL(`http://127.0.0.1${request.url ?? '/'}`);
    const { status, headers, body } = await this.#files.answer(pathname.slice(1), '/');
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}
