import { createServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionGuard } from '../http/connectionGuard.ts';
import type { McpAddress, McpLifecycle } from './server/lifecycle.ts';
import type { CallListener } from './server/callReport.ts';
import type { CallPorts } from './server/callScope.ts';
import { ChangeBus } from './server/changeBus.ts';
import { Clients } from './server/clients.ts';
import type { SeenClient } from './server/clients.ts';
import { MCP_PATH } from './http/protocolRequest.ts';
import { RequestGuard } from './http/requestGuard.ts';
import type { OAuthDoor } from './http/oauthDoor.ts';
import { McpSessionStore } from './http/mcpSessionStore.ts';
import { TOKEN_REVOKED } from './http/requestsInFlight.ts';
import type { TurnedAway } from './http/requestGuard.ts';
import { MCP_LIMITS, PREFERRED_PORT } from './server/limits.ts';
import type { McpLimits } from './server/limits.ts';
import { createProtocolServer, CallerContext } from './server/protocolServer.ts';
import type { AnyProtocolServer, ProtocolEra } from './server/protocolServer.ts';
import { connectionUri } from './server/uris.ts';
import { ToolCalls } from './server/toolCalls.ts';
import { TOOLS } from './tools/registry.ts';
import type { Tool } from './tools/tool.ts';
import { ApprovalGate } from './approvals/approvalGate.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { HOST_PACKAGE } from '../program/hostPackage.ts';
import { HandshakeService } from './clients/handshakeService.ts';
import { IntegrationSettingsStore } from './access/integrationSettings.ts';
import { loggerOf } from '../storage/logger.ts';
import { Drivers } from '../drivers/drivers.ts';
import { NewSecrets } from './approvals/newSecrets.ts';
import { SavedRequests } from '../console/savedRequests.ts';
import { OAuthEndpoints } from './oauth/oauthEndpoints.ts';
import { OAuthGrantStore } from './oauth/oauthGrantStore.ts';
import { presentedTokens } from './oauth/presentedTokens.ts';
import { QueryHistory } from '../console/queryHistory.ts';
import { Sessions } from '../data/sessions.ts';
import { TokenStore } from './access/tokenStore.ts';
import { UnfinishedFiles } from '../transfer/unfinishedFiles.ts';
import { from, named } from '../container/inject.ts';
import { historyReader } from './server/historyReader.ts';
import { savedRequestReader } from './server/savedRequestReader.ts';
import type { Inject } from '../container/inject.ts';
import { portRefusal } from '../../common/portRefusal.ts';

/** The host's services for the MCP server. */
export interface McpServerPorts extends CallPorts {
  readonly tokens: Pick<TokenStore, 'verify' | 'onRevoked'>;
}

/** Options. */
export interface McpServerOptions {
  /** The application's version, as clients see it. */
  readonly version: string;
  readonly lifecycle?: McpLifecycle;
  /** Origins of pages that may call, besides loopback ones; asked at every request. */
  /** The application's, for clients to show. */
  readonly website?: string | undefined;
  readonly allowedOrigins?: () => readonly string[];
  readonly limits?: Partial<McpLimits>;
  /** Asked at every request; default: as the limits say. */
  readonly requestsPerMinute?: () => number;
  readonly tools?: readonly Tool[];
  /** Another server behind the same front, so that tests can try the front with tools that the application does not have. */
  readonly createServer?: (era: ProtocolEra, method?: string) => AnyProtocolServer;
  readonly now?: () => number;
  /** Where sessions survive a restart; without one, they end with the server. */
  readonly sessionStore?: McpSessionStore;
  /** Where clients sign in; without one, a person creates every token. */
  readonly oauth?: OAuthDoor;
}

interface Running {
  readonly server: HttpServer;
  readonly requestGuard: RequestGuard;
  readonly address: McpAddress;
  readonly unlisten: () => void;
}

const LOOPBACK = '127.0.0.1';

/** The MCP server: off until started, and can be restarted. Only this machine can reach it. */
export class McpServer implements AsyncDisposable {
  static readonly inject: Inject<typeof McpServer> = [
    named({
      connections: ConnectionStore,
      sessions: Sessions,
      manifests: Drivers,
      tokens: from([TokenStore, OAuthGrantStore], presentedTokens),
      secrets: ConnectionSecrets,
      approvals: ApprovalGate,
      newSecrets: NewSecrets,
      exportFolders: from([IntegrationSettingsStore], (settings) => () => settings.get().exportFolders),
      unfinishedFiles: UnfinishedFiles,
      history: from([QueryHistory], historyReader),
      savedRequests: from([SavedRequests, ConnectionSecrets, ConnectionStore], savedRequestReader),
      onInternalError: from(
        [loggerOf('mcp')],
        (logger) => (error: unknown) => logger.error('an MCP call failed unexpectedly', error),
      ),
    }),
    named({
      version: from([HOST_PACKAGE], ({ version }) => version),
      website: from([HOST_PACKAGE], ({ homepage }) => homepage),
      lifecycle: HandshakeService,
      requestsPerMinute: from([IntegrationSettingsStore], (settings) => () => settings.get().requestsPerMinute),
      allowedOrigins: from([IntegrationSettingsStore], (settings) => () => settings.get().allowedOrigins),
      sessionStore: McpSessionStore,
      oauth: OAuthEndpoints,
    }),
  ];

  readonly #ports: McpServerPorts;
  readonly #options: McpServerOptions;
  readonly #limits: McpLimits;
  readonly #tools: readonly Tool[];
  readonly #calls: ToolCalls;
  readonly #bus: ChangeBus;
  readonly #clients: Clients;
  readonly #turnedAwayListeners = new Set<(report: TurnedAway) => void>();
  #running: Running | undefined;
  #lastPort = 0;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(ports: McpServerPorts, options: McpServerOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#limits = { ...MCP_LIMITS, ...options.limits };
    this.#tools = options.tools ?? TOOLS;
    this.#clients = new Clients(options.now);
    this.#calls = new ToolCalls(
      this.#tools,
      {
        ...ports,
        onRun: (connectionId, changed) => {
          ports.onRun?.(connectionId, changed);
          this.#notifyRun(connectionId, changed);
        },
      },
      this.#limits,
    );
    this.#bus = new ChangeBus(ports.connections, (principal) => this.#calls.listedFor(principal).map(({ name }) => name));
    ports.connections.onChange(() => this.#bus.connectionsChanged());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Where it is reached; undefined while it is off. */
  get address(): McpAddress | undefined {
    return this.#running?.address;
  }

  /** Calls back for every call, over all starts. */
  onCall(listener: CallListener): () => void {
    return this.#calls.onCall(listener);
  }

  /** Calls back for requests that the guard rejected, over all starts. */
  onTurnedAway(listener: (report: TurnedAway) => void): () => void {
    this.#turnedAwayListeners.add(listener);
    return () => this.#turnedAwayListeners.delete(listener);
  }

  /** Recent clients, and the number of running requests for each token. */
  clients(): readonly (SeenClient & { readonly inFlight: number })[] {
    return this.#clients
      .list()
      .map((seen) => ({ ...seen, inFlight: this.#running?.requestGuard.inFlight(seen.principal.tokenId) ?? 0 }));
  }

  /** Cuts running requests of a token and ends its sessions. The token stays good: revoke it to keep the client out. */
  async disconnect(tokenId: string): Promise<void> {
    const principal = this.#clients.list().find((seen) => seen.principal.tokenId === tokenId)?.principal;
    this.#clients.forget(tokenId);
    await this.#running?.requestGuard.cut(tokenId, principal?.id);
  }

  /** Notifies open subscriptions of changes. */
  get changes(): Pick<ChangeBus, 'publish' | 'abilitiesChanged'> {
    return this.#bus;
  }

  /** Tables of a connection were changed by somebody else than a client. */
  connectionChanged(connectionId: string): void {
    this.#notifyRun(connectionId, true);
  }

  /**
   * Starts, or does nothing when it runs.
   *
   * @param options - `port`: the one to prefer; another is taken when it is in use, unless `isRequired`. 0 takes a free one, and that one again after a
   *   stop: clients have its address.
   * @throws HostError `INVALID_REQUEST` for a required port that is taken or not allowed
   */
  start(options: { readonly port?: number; readonly isRequired?: boolean } = {}): Promise<McpAddress> {
    return this.#oneAfterTheOther(async () => {
      if (this.#running !== undefined) return this.#running.address;
      const { server, requestGuard } = this.#createServers();
      const { port: preferred = PREFERRED_PORT } = options;
      const listening =
        options.isRequired === true && preferred !== 0
          ? requirePort(server, preferred)
          : listen(server, preferred === 0 ? this.#lastPort : preferred);
      const port = await listening.catch(async (error: unknown) => {
        // Otherwise its timer looks after sessions in a database that is closed.
        await requestGuard.stop();
        throw error;
      });
      this.#lastPort = port;
      const address = { url: `http://${LOOPBACK}:${port}${MCP_PATH}`, port };
      const unlisten = this.#ports.tokens.onRevoked((tokenId) => {
        this.#clients.forget(tokenId);
        requestGuard.cut(tokenId, tokenId, TOKEN_REVOKED).catch(this.#ports.onInternalError);
      });
      this.#running = { server, requestGuard, address, unlisten };
      try {
        await this.#options.lifecycle?.started(address);
      } catch (error) {
        await this.#end(this.#running);
        throw error;
      }
      return address;
    });
  }

  /** Stops: no new requests, running ones may finish for a while, then everything is closed. */
  stop(): Promise<void> {
    return this.#oneAfterTheOther(async () => {
      if (this.#running !== undefined) await this.#end(this.#running);
    });
  }

  async #end({ server, requestGuard, unlisten }: Running): Promise<void> {
    this.#running = undefined;
    unlisten();
    // The handshake must not lead to a server that is about to stop.
    await this.#options.lifecycle?.stopping().catch(this.#ports.onInternalError);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    await requestGuard.stop();
    server.closeAllConnections();
    await closed;
    this.#clients.clear();
  }

  #createRequestGuard(connections: ConnectionGuard): RequestGuard {
    const callers = new CallerContext();
    const parts = {
      version: this.#options.version,
      website: this.#options.website,
      calls: this.#calls,
      callers,
      clients: this.#clients,
      limits: this.#limits,
    };
    return new RequestGuard({
      tokens: this.#ports.tokens,
      limits: this.#limits,
      allowedOrigins: this.#options.allowedOrigins ?? (() => []),
      onInternalError: this.#ports.onInternalError,
      bus: this.#bus,
      requestsPerMinute: this.#options.requestsPerMinute ?? (() => this.#limits.requestsPerMinute),
      onTurnedAway: (report) => {
        for (const listener of this.#turnedAwayListeners) listener(report);
      },
      ...(this.#options.now === undefined ? {} : { now: this.#options.now }),
      sessionStore: this.#options.sessionStore,
      oauth: this.#options.oauth,
      connections,
      callers,
      createServer: this.#options.createServer ?? ((era, method) => createProtocolServer(parts, era, method)),
    });
  }

  /** A statement has run: the history is longer, and tables may be others. */
  #notifyRun(connectionId: string, changed: boolean): void {
    const uris = [connectionUri(connectionId, 'history')];
    if (changed) uris.push(connectionUri(connectionId, 'schema'), connectionUri(connectionId, 'tables'));
    for (const uri of uris) this.#bus.publish({ kind: 'resource_updated', uri });
  }

  #createServers(): { readonly server: HttpServer; readonly requestGuard: RequestGuard } {
    const server = createServer({
      maxHeaderSize: this.#limits.headerBytes,
      headersTimeout: this.#limits.headersMilliseconds,
      requestTimeout: this.#limits.requestMilliseconds,
      connectionsCheckingInterval: this.#limits.checkMilliseconds,
      keepAliveTimeout: this.#limits.keepAliveMilliseconds,
    });
    const guard = new ConnectionGuard(server, this.#limits, this.#ports.onInternalError);
    const requestGuard = this.#createRequestGuard(guard);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (this.#options.lifecycle?.intercept(request, response) !== true) void requestGuard.handle(request, response);
    });
    return { server, requestGuard };
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

/** Takes the port that a person named for clients: on another one they would not find it. */
async function requirePort(server: HttpServer, port: number): Promise<number> {
  try {
    return await tryPort(server, port);
  } catch (cause) {
    throw portRefusal('The MCP server', port, cause);
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
