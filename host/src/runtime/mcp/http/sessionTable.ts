import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ExternalClient } from '../access/externalClient.ts';
import type { McpLimits } from '../server/limits.ts';
import type { AnyProtocolServer } from '../server/protocolServer.ts';
import { SESSION_USE_RESOLUTION_MILLISECONDS } from './mcpSessionStore.ts';
import type { McpSessionStore, StoredMcpSession } from './mcpSessionStore.ts';
import { mcpLogLevelSchema } from './params.ts';

/** A session of the older protocol versions. */
export interface McpSession {
  readonly id: string;
  readonly principalId: string;
  /** A session with requests in flight is neither idle nor ended for another one. */
  requests: number;
  lastUsed: number;
  /** The use that the store has. */
  storedUse: number;
  handle(request: Request, options: { readonly parsedBody?: unknown; readonly authInfo: AuthInfo }): Promise<Response>;
  close(): Promise<void>;
}

/** The request, not a notification of that name, which changes nothing. */
const setLevelSchema = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal('logging/setLevel'),
  params: z.object({ level: mcpLogLevelSchema }),
});

/** The services of the table. */
export interface SessionTableParts {
  readonly createServer: () => AnyProtocolServer;
  readonly limits: McpLimits;
  /** Without one, sessions end with the table. */
  readonly store?: McpSessionStore | undefined;
  readonly now?: (() => number) | undefined;
}

/**
 * The sessions of the protocol versions before 2026-07-28. An id proves nothing: a session answers its own principal only, and every
 * request is authenticated separately. A session that an earlier run of the host began is begun again when its client calls.
 */
export class SessionTable {
  readonly #sessions = new Map<string, McpSession>();
  readonly #createServer: () => AnyProtocolServer;
  readonly #limits: McpLimits;
  readonly #store: McpSessionStore | undefined;
  readonly #now: () => number;
  /** Sessions that are begun again, by id: requests of a client at the same time are answered by one session. */
  readonly #resuming = new Map<string, Promise<McpSession | undefined>>();
  #reaper: NodeJS.Timeout | undefined;

  constructor({ createServer, limits, store, now = Date.now }: SessionTableParts) {
    this.#createServer = createServer;
    this.#limits = limits;
    this.#store = store;
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
      else if (session.requests > 0) this.#noteUse(session);
    }
    this.#store?.removeIdle();
  }

  /** The session, if it belongs to the principal: another's is as unknown as none. */
  async find(id: string, principal: ExternalClient, authInfo: AuthInfo): Promise<McpSession | undefined> {
    const session = this.#sessions.get(id);
    if (session === undefined) return this.#resume(id, principal, authInfo);
    if (session.principalId !== principal.id) return undefined;
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
    if (!this.#makeRoom(principal)) return undefined;
    const { session, response } = await this.#begin(randomUUID(), principal, request, options);
    if (session !== undefined) this.#store?.add(session.id, principal.id, options.parsedBody);
    return response;
  }

  #resume(id: string, principal: ExternalClient, authInfo: AuthInfo): Promise<McpSession | undefined> {
    const key = JSON.stringify([principal.id, id]);
    const resuming =
      this.#resuming.get(key) ?? this.#beginAgain(id, principal, authInfo).finally(() => this.#resuming.delete(key));
    this.#resuming.set(key, resuming);
    return resuming;
  }

  /** Sends the client's own first messages to a new session. Their answers are dropped: the client has them already. */
  async #beginAgain(id: string, principal: ExternalClient, authInfo: AuthInfo): Promise<McpSession | undefined> {
    const stored = this.#store?.find(id, principal.id);
    if (stored === undefined || !this.#makeRoom(principal)) return undefined;
    let begun: McpSession | undefined;
    for (const body of messagesOf(stored)) {
      const request = sessionRequest(begun?.id);
      if (begun === undefined) {
        const { session, response } = await this.#begin(id, principal, request, { parsedBody: body, authInfo });
        await response.body?.cancel();
        if (session === undefined) return undefined;
        begun = session;
      } else {
        await (await begun.handle(request, { parsedBody: body, authInfo })).text();
      }
    }
    return begun;
  }

  async #begin(
    id: string,
    principal: ExternalClient,
    request: Request,
    options: { readonly parsedBody: unknown; readonly authInfo: AuthInfo },
  ): Promise<{ readonly session: McpSession | undefined; readonly response: Response }> {
    const server = this.#createServer();
    let session: McpSession | undefined;
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      maxRequestBodySize: this.#limits.bodyBytes,
      onsessioninitialized: () => {
        session = {
          id,
          principalId: principal.id,
          requests: 0,
          lastUsed: this.#now(),
          storedUse: 0,
          handle: (later, laterOptions) => {
            const level = setLevelSchema.safeParse(laterOptions.parsedBody).data?.params.level;
            if (level !== undefined) this.#store?.noteLogLevel(id, level);
            return transport.handleRequest(later, laterOptions);
          },
          close: () => server.close(),
        };
        this.#sessions.set(id, session);
      },
      onsessionclosed: () => {
        this.#sessions.delete(id);
        this.#store?.remove(id);
      },
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, options);
    if (session === undefined) await server.close();
    return { session, response };
  }

  #makeRoom(principal: ExternalClient): boolean {
    const own = [...this.#sessions.values()].filter(({ principalId }) => principalId === principal.id);
    if (own.length >= this.#limits.sessionsPerPrincipal && !this.#endOldest(own)) return false;
    return this.#sessions.size < this.#limits.sessions || this.#endOldest(this.#ofGreediest());
  }

  /** Ends the sessions of a principal; or all of them in memory, so that they can be begun again after a restart. */
  async close(principalId?: string): Promise<void> {
    if (principalId === undefined) {
      clearInterval(this.#reaper);
      this.#reaper = undefined;
    } else this.#store?.removeOf(principalId);
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
    this.#store?.remove(session.id);
    session.close().catch(() => undefined);
  }

  /** Marks a session as in use until the returned function is called. */
  use(session: McpSession): () => void {
    session.requests += 1;
    this.#noteUse(session);
    return () => {
      session.requests -= 1;
      this.#noteUse(session);
    };
  }

  #noteUse(session: McpSession): void {
    session.lastUsed = this.#now();
    if (session.lastUsed - session.storedUse < SESSION_USE_RESOLUTION_MILLISECONDS) return;
    session.storedUse = session.lastUsed;
    this.#store?.noteUse(session.id);
  }
}

function messagesOf({ initialize, logLevel }: StoredMcpSession): readonly Readonly<Record<string, unknown>>[] {
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  if (logLevel === undefined) return [initialize, initialized];
  return [initialize, initialized, { jsonrpc: '2.0', id: 'log-level', method: 'logging/setLevel', params: { level: logLevel } }];
}

function sessionRequest(id: string | undefined): Request {
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(id === undefined ? {} : { 'mcp-session-id': id }),
    },
  });
}
