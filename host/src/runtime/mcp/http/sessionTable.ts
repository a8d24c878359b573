import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import type { ExternalClient } from '../access/externalClient.ts';
import type { McpLimits } from '../server/limits.ts';
import type { AnyProtocolServer } from '../server/protocolServer.ts';

/** A session of the older protocol versions. */
export interface McpSession {
  readonly id: string;
  readonly principalId: string;
  /** A session with requests in flight is neither idle nor ended for another one. */
  requests: number;
  lastUsed: number;
  handle(request: Request, options: { readonly parsedBody?: unknown; readonly authInfo: AuthInfo }): Promise<Response>;
  close(): Promise<void>;
}

/**
 * The sessions of the protocol versions before 2026-07-28. An id proves nothing: a session answers its own principal only, and every
 * request is authenticated separately.
 */
export class SessionTable {
  readonly #sessions = new Map<string, McpSession>();
  readonly #createServer: () => AnyProtocolServer;
  readonly #limits: McpLimits;
  readonly #now: () => number;
  #reaper: NodeJS.Timeout | undefined;

  constructor(createServer: () => AnyProtocolServer, limits: McpLimits, now: () => number = Date.now) {
    this.#createServer = createServer;
    this.#limits = limits;
    this.#now = now;
  }

  get size(): number {
    return this.#sessions.size;
  }

  startReaping(): void {
    this.#reaper ??= setInterval(() => this.reap(), Math.min(60_000, this.#limits.sessionIdleMilliseconds)).unref();
  }

  /** Ends sessions that were idle for long. */
  reap(): void {
    const limit = this.#now() - this.#limits.sessionIdleMilliseconds;
    for (const session of [...this.#sessions.values()]) {
      if (session.requests === 0 && session.lastUsed <= limit) this.#end(session);
    }
  }

  /** The session, when it is there and belongs to the principal: another's is as unknown as none. */
  find(id: string, principal: ExternalClient): McpSession | undefined {
    const session = this.#sessions.get(id);
    if (session?.principalId !== principal.id) return undefined;
    if (session.requests === 0 && session.lastUsed <= this.#now() - this.#limits.sessionIdleMilliseconds) {
      this.#end(session);
      return undefined;
    }
    return session;
  }

  /**
   * Answers `initialize` in a session of its own.
   *
   * @returns undefined when there are too many sessions and none of them is idle
   */
  async open(
    principal: ExternalClient,
    request: Request,
    options: { readonly parsedBody: unknown; readonly authInfo: AuthInfo },
  ): Promise<Response | undefined> {
    const own = [...this.#sessions.values()].filter(({ principalId }) => principalId === principal.id);
    if (own.length >= this.#limits.sessionsPerPrincipal && !this.#endOldest(own)) return undefined;
    if (this.#sessions.size >= this.#limits.sessions && !this.#endOldest(this.#ofGreediest())) return undefined;

    const server = this.#createServer();
    let session: McpSession | undefined;
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#limits.bodyBytes,
      onsessioninitialized: (id) => {
        session = {
          id,
          principalId: principal.id,
          requests: 0,
          lastUsed: this.#now(),
          handle: (later, laterOptions) => transport.handleRequest(later, laterOptions),
          close: () => server.close(),
        };
        this.#sessions.set(id, session);
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, options);
    if (session === undefined) await server.close();
    return response;
  }

  /** Ends the sessions of a principal, or all. */
  async close(principalId?: string): Promise<void> {
    if (principalId === undefined) {
      clearInterval(this.#reaper);
      this.#reaper = undefined;
    }
    const ending = [...this.#sessions.values()].filter(
      (session) => principalId === undefined || session.principalId === principalId,
    );
    for (const { id } of ending) this.#sessions.delete(id);
    await Promise.allSettled(ending.map((session) => session.close()));
  }

  /** The sessions of the principal that has most of those without a request: a client that hoards loses its own. */
  #ofGreediest(): readonly McpSession[] {
    const idle = [...this.#sessions.values()].filter(({ requests }) => requests === 0);
    const byPrincipal = Map.groupBy(idle, ({ principalId }) => principalId);
    return [...byPrincipal.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
  }

  #endOldest(sessions: readonly McpSession[]): boolean {
    const idle = sessions.filter(({ requests }) => requests === 0).toSorted((a, b) => a.lastUsed - b.lastUsed);
    const [oldest] = idle;
    if (oldest === undefined) return false;
    this.#end(oldest);
    return true;
  }

  #end(session: McpSession): void {
    this.#sessions.delete(session.id);
    session.close().catch(() => undefined);
  }

  /** Marks a session as in use until the returned function is called. */
  use(session: McpSession): () => void {
    session.requests += 1;
    session.lastUsed = this.#now();
    return () => {
      session.requests -= 1;
      session.lastUsed = this.#now();
    };
  }
}
