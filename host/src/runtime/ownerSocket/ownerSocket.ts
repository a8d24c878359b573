import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../common/errors.ts';
import type { FetchHandler } from '../../common/fetchHandler.ts';
import { errorReport } from '../errors/errorReport.ts';
import { ConnectionGuard } from '../http/connectionGuard.ts';
import { goneSignal, sendAnswer, toRequest } from '../http/fetchAdapter.ts';
import { exceededShape } from '../http/jsonShape.ts';
import type { Logger } from '../storage/logger.ts';
import { CHALLENGE_HEADER, LARGEST_BODY_BYTES, OWNER_ORIGIN, OWNER_PROTOCOL, proofOf, sameText } from './ownerProtocol.ts';
import type { Hello } from './ownerProtocol.ts';
import { announceEndpoint, chooseEndpoint, isOwnSocket, readEndpoint, removeEndpoint, socketExists } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import type { HomeLock } from '../storage/homeLock.ts';

const REQUEST_MILLISECONDS = 10_000;
const MOST_CONNECTIONS = 64;
/** A command waits for 30 s for a host that it can't reach: two checks fit. */
const UPKEEP_MILLISECONDS = 10_000;
/** How long a host that stops waits for what clients have begun to send, and for what they have yet to read. */
const DRAIN_MILLISECONDS = 1_000;

/** Headers of a request that the API reads. The others are the socket's own. */
const READ_HEADERS = ['accept', 'content-type', 'last-event-id', 'trpc-accept'];

export interface OwnerSocketOptions {
  readonly lifetime: Endpoint['lifetime'];
  readonly version: string;
  readonly logger: Logger;
  /** The API as the home's owner has it. */
  readonly handler: FetchHandler;
  /** How often it's checked that the socket and its announcement are still there. */
  readonly upkeepMilliseconds?: number;
}

/** Where the host that owns a home serves its API to the owner's programs: a local socket that no other user can reach. */
export class OwnerSocket implements AsyncDisposable {
  readonly endpoint: Endpoint;
  readonly #lock: HomeLock;
  readonly #options: OwnerSocketOptions;
  #server: Server;
  #upkeep: NodeJS.Timeout | undefined;
  #repairing: Promise<void> = Promise.resolve();
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #closed: Promise<void> | undefined;

  /** Removes what a host before left, listens, and then says where. Needs the home's lock, so that no live socket is removed. */
  static async open(lock: HomeLock, options: OwnerSocketOptions): Promise<OwnerSocket> {
    const stale = await readEndpoint(lock.home).catch(() => undefined);
    if (stale !== undefined) await removeEndpoint(lock.home, stale);
    const endpoint = await chooseEndpoint(lock.home, options.lifetime);
    await removeLeftSocket(endpoint);
    const socket = new OwnerSocket(lock, endpoint, options);
    await socket.#listen();
    await announceEndpoint(lock.home, endpoint);
    socket.#startUpkeep();
    return socket;
  }

  private constructor(lock: HomeLock, endpoint: Endpoint, options: OwnerSocketOptions) {
    this.#lock = lock;
    this.endpoint = endpoint;
    this.#options = options;
    this.#server = this.#createServer();
  }

  #createServer(): Server {
    const server = createServer(
      { headersTimeout: REQUEST_MILLISECONDS, requestTimeout: REQUEST_MILLISECONDS, connectionsCheckingInterval: 1_000 },
      (request, response) => this.#answer(request, response, guard),
    );
    const guard = new ConnectionGuard(
      server,
      { connections: MOST_CONNECTIONS, strangerMilliseconds: REQUEST_MILLISECONDS },
      (error) => this.#options.logger.warn(`a command could not be accepted: ${error.message}`),
    );
    return server;
  }

  /** A cleaner of temporary files, or a person, may remove what commands find the host by. Without it they could not reach the host again. */
  #startUpkeep(): void {
    const milliseconds = this.#options.upkeepMilliseconds ?? UPKEEP_MILLISECONDS;
    this.#upkeep = setInterval(() => {
      this.#repairing = this.#repairing
        .then(() => this.#repair())
        .catch((error: unknown) => this.#options.logger.error('the local socket could not be opened again', error));
    }, milliseconds).unref();
  }

  async #repair(): Promise<void> {
    if (this.#closed !== undefined) return;
    if (!(await socketExists(this.endpoint))) {
      if (!(await isOwnSocket(this.endpoint))) throw new Error(`${this.endpoint.socket} is in a folder that others can change.`);
      // Closing removes the path that a server listens on, so the old one goes first. Requests that run are finished.
      this.#server.close();
      this.#server = this.#createServer();
      await this.#listen();
      this.#options.logger.warn('the local socket was removed, and is open again');
    }
    const announced = await readEndpoint(this.#lock.home).catch(() => undefined);
    if (announced?.key !== this.endpoint.key) await announceEndpoint(this.#lock.home, this.endpoint);
  }

  /** Takes no new connections, and waits for what runs and for those that are being sent. */
  async drain(): Promise<void> {
    clearInterval(this.#upkeep);
    await this.#repairing;
    await removeEndpoint(this.#lock.home, this.endpoint);
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
    await this.#idle();
    const enough = new AbortController();
    await Promise.race([this.#closed, delay(DRAIN_MILLISECONDS, undefined, { signal: enough.signal }).catch(() => undefined)]);
    enough.abort();
    await this.#idle();
    // The remaining connections have sent nothing, or don't read their answer: from here on their requests could not run.
    this.#server.closeAllConnections();
  }

  async #idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Takes no new commands and cancels those that run. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new HostError('CANCELLED', 'The host is stopping.'));
    await this.drain();
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.endpoint.socket);
    try {
      await once(this.#server, 'listening');
      // The folder is ours alone, so no other user could reach it before this either.
      if (process.platform !== 'win32') await chmod(this.endpoint.socket, 0o600);
    } catch (cause) {
      throw new HostError('HOME_UNUSABLE', `The local socket ${this.endpoint.socket} cannot be opened.`, { cause });
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse, guard: ConnectionGuard): void {
    const work = this.#serve(request, response, guard).catch((error: unknown) => {
      this.#options.logger.error('a command could not be answered', error);
      response.destroy();
    });
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async #serve(request: IncomingMessage, response: ServerResponse, guard: ConnectionGuard): Promise<void> {
    response.setHeader('connection', 'close');
    if (request.method === 'POST' && request.url === '/hello') return this.#hello(request, response);
    const url = new URL(request.url ?? '/', OWNER_ORIGIN);
    if (!url.pathname.startsWith('/api/') || !['GET', 'POST'].includes(request.method ?? '')) return refuse(response, 404);
    if (!sameText(request.headers.authorization ?? '', `Bearer ${this.endpoint.key}`)) return refuse(response, 401);
    guard.trust(request.socket);
    const body = await readBody(request);
    if (body === undefined) return refuse(response, 413);
    const refusal = refusalOf(body);
    if (refusal !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(errorReport(refusal)));
      return;
    }
    await this.#api(request, url, body, response);
  }

  #hello(request: IncomingMessage, response: ServerResponse): void {
    const challenge = request.headers[CHALLENGE_HEADER];
    if (typeof challenge !== 'string' || challenge.length > 200) return refuse(response, 400);
    const hello: Hello = {
      protocol: OWNER_PROTOCOL,
      proof: proofOf(this.endpoint.key, challenge),
      version: this.#options.version,
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(hello));
  }

  async #api(request: IncomingMessage, url: URL, body: Uint8Array<ArrayBuffer>, response: ServerResponse): Promise<void> {
    const signal = AbortSignal.any([goneSignal(response, () => new HostError('CANCELLED')), this.#stop.signal]);
    // Before anything runs: a client without this answer can be sure that nothing ran, and asks another host.
    response.writeProcessing();
    const asked = toRequest(request, {
      url,
      passes: (name) => READ_HEADERS.includes(name),
      signal,
      body: request.method === 'GET' ? undefined : body,
    });
    await sendAnswer(response, await this.#options.handler(asked));
  }
}

/** A host that crashed before it announced its socket left it unannounced. */
async function removeLeftSocket(endpoint: Endpoint): Promise<void> {
  if (endpoint.socket.startsWith('\\\\')) return;
  try {
    await rm(endpoint.socket, { force: true });
  } catch (cause) {
    throw new HostError('HOME_UNUSABLE', `${endpoint.socket} cannot be removed to make room for the local socket.`, {
      cause,
      details: { advice: 'Remove it, or move it elsewhere, and try again.' },
    });
  }
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

/** Why a body is not even looked at: what is not UTF-8, or has too many parts to be parsed. */
function refusalOf(body: Uint8Array): HostError | undefined {
  const exceeded = exceededShape(body);
  if (exceeded !== undefined) return new HostError('INVALID_REQUEST', `The command has too much JSON (${exceeded}). Send less.`);
  return isUtf8(body) ? undefined : new HostError('INVALID_REQUEST', 'The command is not JSON in UTF-8.');
}

async function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > LARGEST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
