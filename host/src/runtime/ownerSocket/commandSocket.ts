import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../common/errors.ts';
import { errorReport } from '../errors/errorReport.ts';
import { ConnectionGuard } from '../http/connectionGuard.ts';
import { exceededShape } from '../http/jsonShape.ts';
import type { Logger } from '../storage/logger.ts';
import {
  CHALLENGE_HEADER,
  COMMAND_PROTOCOL,
  LARGEST_COMMAND_BYTES,
  commandSchema,
  proofOf,
  sameText,
} from './commandProtocol.ts';
import type { CommandRequest, Hello } from './commandProtocol.ts';
import { announceEndpoint, chooseEndpoint, readEndpoint, removeEndpoint } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import type { HomeLock } from '../storage/homeLock.ts';

const REQUEST_MILLISECONDS = 10_000;
const MOST_CONNECTIONS = 64;
/** How long a host that stops waits for what clients have begun to send, and for what they have yet to read. */
const DRAIN_MILLISECONDS = 1_000;

/** Runs one command. `emit` resolves when the event has been taken, so that a slow reader slows the command down. */
export type RunCommand = (
  request: CommandRequest,
  options: { readonly signal: AbortSignal; readonly emit: (event: unknown) => Promise<void> },
) => Promise<unknown>;

export interface CommandSocketOptions {
  readonly lifetime: Endpoint['lifetime'];
  readonly version: string;
  readonly logger: Logger;
  readonly run: RunCommand;
}

/** Where the host that owns a home takes commands: a local socket that its owner alone can reach. */
export class CommandSocket implements AsyncDisposable {
  readonly endpoint: Endpoint;
  readonly #lock: HomeLock;
  readonly #options: CommandSocketOptions;
  readonly #server: Server;
  readonly #guard: ConnectionGuard;
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #closed: Promise<void> | undefined;

  /** Removes what a host before left, listens, and then says where. Needs the home's lock, so that nobody's living socket is removed. */
  static async open(lock: HomeLock, options: CommandSocketOptions): Promise<CommandSocket> {
    const stale = await readEndpoint(lock.home).catch(() => undefined);
    if (stale !== undefined) await removeEndpoint(lock.home, stale);
    const endpoint = await chooseEndpoint(lock.home, options.lifetime);
    await removeLeftSocket(endpoint);
    const socket = new CommandSocket(lock, endpoint, options);
    await socket.#listen();
    await announceEndpoint(lock.home, endpoint);
    return socket;
  }

  private constructor(lock: HomeLock, endpoint: Endpoint, options: CommandSocketOptions) {
    this.#lock = lock;
    this.endpoint = endpoint;
    this.#options = options;
    this.#server = createServer(
      { headersTimeout: REQUEST_MILLISECONDS, requestTimeout: REQUEST_MILLISECONDS, connectionsCheckingInterval: 1_000 },
      (request, response) => this.#answer(request, response),
    );
    this.#guard = new ConnectionGuard(
      this.#server,
      { connections: MOST_CONNECTIONS, strangerMilliseconds: REQUEST_MILLISECONDS },
      (error) => options.logger.warn(`a command could not be accepted: ${error.message}`),
    );
  }

  /** Takes no new connections, and waits for the commands that run and for those that are being sent. */
  async drain(): Promise<void> {
    await removeEndpoint(this.#lock.home, this.endpoint);
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
    await this.#idle();
    const enough = new AbortController();
    await Promise.race([this.#closed, delay(DRAIN_MILLISECONDS, undefined, { signal: enough.signal }).catch(() => undefined)]);
    enough.abort();
    await this.#idle();
    // What is left has sent nothing, or does not read its answer: from here on nobody would be there to run what it sends.
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
      // The folder is ours alone, so nobody could reach it before this either.
      if (process.platform !== 'win32') await chmod(this.endpoint.socket, 0o600);
    } catch (cause) {
      throw new HostError('HOME_UNUSABLE', `The local socket ${this.endpoint.socket} cannot be opened.`, { cause });
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const work = this.#serve(request, response).catch((error: unknown) => {
      this.#options.logger.error('a command could not be answered', error);
      response.destroy();
    });
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('connection', 'close');
    if (request.method === 'POST' && request.url === '/hello') return this.#hello(request, response);
    if (request.method !== 'POST' || request.url !== '/command') return refuse(response, 404);
    if (!sameText(request.headers.authorization ?? '', `Bearer ${this.endpoint.key}`)) return refuse(response, 401);
    this.#guard.trust(request.socket);
    const body = await readBody(request);
    if (body === undefined) return refuse(response, 413);
    await this.#command(body, response);
  }

  #hello(request: IncomingMessage, response: ServerResponse): void {
    const challenge = request.headers[CHALLENGE_HEADER];
    if (typeof challenge !== 'string' || challenge.length > 200) return refuse(response, 400);
    const hello: Hello = {
      protocol: COMMAND_PROTOCOL,
      proof: proofOf(this.endpoint.key, challenge),
      version: this.#options.version,
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(hello));
  }

  async #command(body: Uint8Array, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new HostError('CANCELLED')));
    const signal = AbortSignal.any([gone.signal, this.#stop.signal]);
    response.setHeader('content-type', 'application/x-ndjson');
    // Before anything runs: a client that gets no head knows that nothing ran, and gives the command to another host.
    response.flushHeaders();
    const write = async (line: unknown): Promise<void> => {
      if (response.destroyed || response.write(`${JSON.stringify(line)}\n`)) return;
      await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
    };
    try {
      const request = commandSchema.parse(readCommand(body));
      const result = await this.#options.run(request, { signal, emit: (event) => write({ event }) });
      await write({ result: result ?? null });
    } catch (error) {
      const report = errorReport(error);
      if (report.code === 'INTERNAL') this.#options.logger.error('a command failed unexpectedly', error);
      await write({ error: report });
    }
    response.end();
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

const decoder = new TextDecoder('utf-8', { fatal: true });

/** @throws HostError `INVALID_REQUEST` for what is not JSON in UTF-8, or has too many parts to be parsed */
function readCommand(body: Uint8Array): unknown {
  const exceeded = exceededShape(body);
  if (exceeded !== undefined) throw new HostError('INVALID_REQUEST', `The command has too much JSON (${exceeded}). Send less.`);
  try {
    return JSON.parse(decoder.decode(body)) as unknown;
  } catch (cause) {
    throw new HostError('INVALID_REQUEST', 'The command is not JSON in UTF-8.', { cause });
  }
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > LARGEST_COMMAND_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
