import { ProtocolError, Server } from '@modelcontextprotocol/server';
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Principal } from '../access/principal.ts';
import { MCP_CODES, SUPPORTED_VERSIONS } from './codes.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { McpLimits } from './limits.ts';
import { pageOf } from './pagination.ts';
import type { ToolCalls } from './toolCalls.ts';
import type { ListedTool } from './tools/tool.ts';

const MINUTE = 60_000;

/**
 * The principals of requests under way. What travels through the protocol library is an object that names nobody and holds no token; only
 * who has this map can tell for whom a request speaks.
 */
export class PrincipalCarrier {
  readonly #principals = new WeakMap<AuthInfo, Principal>();

  wrap(principal: Principal): AuthInfo {
    const info: AuthInfo = { token: '', clientId: principal.id, scopes: [] };
    this.#principals.set(info, principal);
    return info;
  }

  /** @throws ProtocolError when a request has come by another way than through authentication */
  of(context: ServerContext): Principal {
    const info = context.http?.authInfo;
    const principal = info === undefined ? undefined : this.#principals.get(info);
    if (principal === undefined) throw new ProtocolError(MCP_CODES.internal, 'This request has no principal.');
    return principal;
  }
}

/** What every protocol server shares. */
export interface ProtocolServerParts {
  readonly version: string;
  readonly tools: readonly ListedTool[];
  readonly calls: ToolCalls;
  readonly carrier: PrincipalCarrier;
  readonly limits: McpLimits;
}

/**
 * Makes the server of one request (2026-07-28) or one session (the versions before).
 *
 * The low-level Server, not McpServer: McpServer turns every error of a tool into a result, so that -33007 could not be sent, passes over
 * the cursors of lists, and makes every JSON schema anew for each request (measured: about 1.8 times the time per request).
 */
export function createProtocolServer({ version, tools, calls, carrier, limits }: ProtocolServerParts): Server {
  const server = new Server(
    { name: 'tabularium', title: 'Tabularium', version },
    {
      // Only what is there: no resources, no prompts, no change notifications.
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: [...SUPPORTED_VERSIONS],
      cacheHints: {
        'server/discover': { ttlMs: 60 * MINUTE, cacheScope: 'private' },
        'tools/list': { ttlMs: 5 * MINUTE, cacheScope: 'private' },
      },
    },
  );
  server.setRequestHandler('tools/list', (request) => {
    const page = pageOf('tools', tools, ({ name }) => name, request.params?.cursor, limits.pageEntries);
    if (page === undefined) {
      throw new ProtocolError(MCP_CODES.invalidParams, 'Invalid cursor: ask for the first page again.');
    }
    return { tools: [...page.entries], ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) };
  });
  server.setRequestHandler('tools/call', (request, context) =>
    calls.run({
      principal: carrier.of(context),
      client: clientOf(server),
      tool: request.params.name,
      args: request.params.arguments,
      signal: context.mcpReq.signal,
    }),
  );
  return server;
}

function clientOf(server: Server): { name: string; version: string } | undefined {
  const info = server.getClientVersion();
  return info === undefined ? undefined : { name: info.name.slice(0, 120), version: info.version.slice(0, 60) };
}
