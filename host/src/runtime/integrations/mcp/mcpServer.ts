import { createServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallListener } from './activity.ts';
import { MCP_PATH } from './http/exchange.ts';
import { Front } from './http/front.ts';
import type { TokenVerifier } from './http/authentication.ts';
import { MCP_LIMITS, PREFERRED_PORT } from './limits.ts';
import type { McpLimits } from './limits.ts';
import { createProtocolServer, PrincipalCarrier } from './protocolServer.ts';
import { ToolCalls } from './toolCalls.ts';
import type { ToolCallPorts } from './toolCalls.ts';
import { TOOLS } from './tools/registry.ts';
import type { Tool } from './tools/tool.ts';

/** What the MCP server needs of the host. */
export interface McpServerPorts extends ToolCallPorts {
  readonly tokens: TokenVerifier & { onRevoked(listener: (tokenId: string) => void): () => void };
}

/** Who is told of the server's life, and answers what comes before authentication. */
export interface McpLifecycle {
  /** It listens, and is about to say so. */
  started(address: McpAddress): Promise<void>;
  /** It is about to stop. */
  stopping(): Promise<void>;
  /** Answers a request by itself, and says whether it did. */
  intercept(request: IncomingMessage, response: ServerResponse): boolean;
}

/** What can be set. */
export interface McpServerOptions {
  /** The application's version, as clients see it. */
  readonly version: string;
  readonly lifecycle?: McpLifecycle;
  /** Origins of pages that may call, besides loopback ones. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: Partial<McpLimits>;
  readonly tools?: readonly Tool[];
  readonly now?: () => number;
}

/** Where a running server is reached. */
export interface McpAddress {
  readonly url: string;
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';

/** The MCP server: off until started, and started anew as often as wanted. Nobody but this machine can reach it. */
export class McpServer {
  readonly #ports: McpServerPorts;
  readonly #options: McpServerOptions;
  readonly #limits: McpLimits;
  readonly #tools: readonly Tool[];
  readonly #calls: ToolCalls;
  #running:
    | { readonly server: HttpServer; readonly front: Front; readonly address: McpAddress; readonly unlisten: () => void }
    | undefined;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(ports: McpServerPorts, options: McpServerOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#limits = { ...MCP_LIMITS, ...options.limits };
    this.#tools = options.tools ?? TOOLS;
    this.#calls = new ToolCalls(this.#tools, ports, this.#limits);
  }

  /** Where it is reached; undefined while it is off. */
  get address(): McpAddress | undefined {
    return this.#running?.address;
  }

  /** Tells of every tool call, over all starts. */
  onCall(listener: CallListener): () => void {
    return this.#calls.onCall(listener);
  }

  /**
   * Starts, or does nothing when it runs.
   *
   * @param options - `port`: the one to prefer; another is taken when it is in use. 0: any.
   */
  start(options: { readonly port?: number } = {}): Promise<McpAddress> {
    return this.#oneAfterTheOther(async () => {
      if (this.#running !== undefined) return this.#running.address;
      const front = new Front({
        tokens: this.#ports.tokens,
        limits: this.#limits,
        allowedOrigins: this.#options.allowedOrigins ?? [],
        onInternalError: this.#ports.onInternalError,
        ...(this.#options.now === undefined ? {} : { now: this.#options.now }),
        ...this.#protocolParts(),
      });
      const server = this.#createHttpServer(front);
      const port = await listen(server, options.port ?? PREFERRED_PORT);
      const address = { url: `http://${LOOPBACK}:${port}${MCP_PATH}`, port };
      const unlisten = this.#ports.tokens.onRevoked((tokenId) => {
        front.cut(tokenId).catch(this.#ports.onInternalError);
      });
      this.#running = { server, front, address, unlisten };
      await this.#options.lifecycle?.started(address);
      return address;
    });
  }

  /** Stops: no new requests, those under way may finish for a while, then everything is closed. */
  stop(): Promise<void> {
    return this.#oneAfterTheOther(async () => {
      const running = this.#running;
      if (running === undefined) return;
      this.#running = undefined;
      running.unlisten();
      await this.#options.lifecycle?.stopping();
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      running.server.close(() => resolve());
      await running.front.stop();
      running.server.closeAllConnections();
      await closed;
    });
  }

  #protocolParts(): Pick<ConstructorParameters<typeof Front>[0], 'carrier' | 'createServer'> {
    const carrier = new PrincipalCarrier();
    const parts = {
      version: this.#options.version,
      tools: this.#tools.map(({ listed }) => listed),
      calls: this.#calls,
      carrier,
      limits: this.#limits,
    };
    return { carrier, createServer: () => createProtocolServer(parts) };
  }

  #createHttpServer(front: Front): HttpServer {
    const server = createServer(
      {
        maxHeaderSize: this.#limits.headerBytes,
        headersTimeout: this.#limits.headersMilliseconds,
        requestTimeout: this.#limits.requestMilliseconds,
        connectionsCheckingInterval: this.#limits.checkMilliseconds,
        keepAliveTimeout: this.#limits.keepAliveMilliseconds,
      },
      (request, response) => {
        if (this.#options.lifecycle?.intercept(request, response) !== true) void front.handle(request, response);
      },
    );
    server.maxConnections = this.#limits.connections;
    return server;
  }

  #oneAfterTheOther<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#changing.then(change);
    this.#changing = result.catch(() => undefined);
    return result;
  }
}

/** Takes the preferred port, or any other when that one is in use or not allowed. */
async function listen(server: HttpServer, preferred: number): Promise<number> {
  try {
    return await tryPort(server, preferred);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (preferred === 0 || (code !== 'EADDRINUSE' && code !== 'EACCES')) throw error;
    return tryPort(server, 0);
  }
}

function tryPort(server: HttpServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
