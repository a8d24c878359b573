import { inputResponse, ProtocolError, Server } from '@modelcontextprotocol/server';
import type { AuthInfo, ClientCapabilities, McpServer as LibraryServer, ServerContext } from '@modelcontextprotocol/server';
import type { ExternalClient } from '../access/externalClient.ts';
import type { ClientSide } from '../approvals/approvalGate.ts';
import type { Clients } from './clients.ts';
import { MCP_CODES, SUPPORTED_VERSIONS } from './codes.ts';
import { completeArgument } from './completion.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { McpLimits } from './limits.ts';
import { pageOf } from './pagination.ts';
import { getPrompt, PROMPTS } from './prompts.ts';
import type { RequestCalls } from './requestCalls.ts';
import { listResources, readResource, RESOURCE_TEMPLATES } from './resources.ts';
import { decodings } from './sentText.ts';
import { serverIdentity, serverName } from './serverIdentity.ts';
import { APPROVAL_KEY } from './toolCalls.ts';
import type { ToolCalls } from './toolCalls.ts';
import { STRUCTURED_KEY } from './toolCall.ts';
import type { CallOrigin } from './toolCall.ts';

const MINUTE = 60_000;
/** An answer of a person is waited for as long as the window waits. */
const ELICITATION_MILLISECONDS = 240_000;

/** A request in flight. */
export interface CallerRequest {
  readonly principal: ExternalClient;
  /** Aborted when the client is no longer there for the answer. */
  readonly connection?: AbortSignal;
  readonly calls?: RequestCalls;
}

/**
 * The principals of requests in flight. The protocol library gets an object without a name and a token; only this map leads from it to
 * the principal.
 */
export class CallerContext {
  readonly #requests = new WeakMap<AuthInfo, CallerRequest>();

  wrap(request: CallerRequest): AuthInfo {
    const info: AuthInfo = { token: '', clientId: request.principal.id, scopes: [] };
    this.#requests.set(info, request);
    return info;
  }

  /** @throws ProtocolError when a request has come by another way than through authentication */
  of(context: ServerContext): CallerRequest {
    const info = context.http?.authInfo;
    const request = info === undefined ? undefined : this.#requests.get(info);
    if (request === undefined) throw new ProtocolError(MCP_CODES.internal, 'This request has no principal.');
    return request;
  }
}

/** The parts that all protocol servers share. */
export interface ProtocolServerParts {
  readonly version: string;
  /** The application's, where it has one. */
  readonly website?: string | undefined;
  readonly calls: ToolCalls;
  readonly callers: CallerContext;
  readonly clients: Clients;
  readonly limits: McpLimits;
}

/** `session`: the versions that begin with `initialize`; `stateless`: 2026-07-28. */
export type ProtocolEra = 'session' | 'stateless';

/** The server behind the guard; tests use the library's other kind of server. */
export type AnyProtocolServer = Server | LibraryServer;

/**
 * Makes the server of one request (2026-07-28) or one session (the versions before).
 *
 * The low-level Server, not McpServer: McpServer turns every error of a tool into a result, so that -33007 could not be sent, passes over
 * the cursors of lists, and builds every JSON schema again for each request (measured: about 1.8 times the time per request).
 *
 * @param method - of the one request that it is for; absent for a session
 */
export function createProtocolServer(parts: ProtocolServerParts, era: ProtocolEra, method?: string): Server {
  const { version, website, calls, limits } = parts;
  const isAskedForIdentity = era === 'session' || method === 'server/discover';
  const server = new Server(isAskedForIdentity ? serverIdentity(version, website) : serverName(version), {
    // A session has no channel for unsolicited messages (GET is 405), so it gets no notifications of changes.
    capabilities:
      era === 'stateless'
        ? { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: {}, completions: {} }
        : { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    instructions: INSTRUCTIONS,
    supportedProtocolVersions: [...SUPPORTED_VERSIONS],
    inputRequired: { maxRounds: 2, roundTimeoutMs: ELICITATION_MILLISECONDS },
    cacheHints: {
      'server/discover': { ttlMs: 60 * MINUTE, cacheScope: 'private' },
      'tools/list': { ttlMs: 5 * MINUTE, cacheScope: 'private' },
      'resources/list': { ttlMs: MINUTE / 2, cacheScope: 'private' },
      'resources/templates/list': { ttlMs: 60 * MINUTE, cacheScope: 'private' },
      'prompts/list': { ttlMs: 60 * MINUTE, cacheScope: 'private' },
    },
  });
  const origin = (context: ServerContext): CallOrigin => originOf(parts, server, context);
  const paged = <T>(list: string, entries: readonly T[], idOf: (entry: T) => string, cursor: string | undefined) => {
    const page = pageOf(list, entries, idOf, cursor, limits.pageEntries);
    if (page === undefined) throw new ProtocolError(MCP_CODES.invalidParams, 'Invalid cursor: ask for the first page again.');
    return { entries: [...page.entries], next: page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor } };
  };

  server.setRequestHandler('tools/list', (request, context) => {
    const { principal } = origin(context);
    const { entries, next } = paged('tools', calls.listedFor(principal), ({ name }) => name, request.params?.cursor);
    return { tools: entries, ...next };
  });
  server.setRequestHandler('tools/call', async (request, context) => {
    const result = await calls.run({
      ...origin(context),
      tool: request.params.name,
      args: request.params.arguments,
      approval: clientSideOf(server, context),
      structured: context.mcpReq._meta?.[STRUCTURED_KEY] === true,
    });
    if (era === 'session' && 'isError' in result && result.isError === true) {
      await context.mcpReq.log('warning', `${request.params.name} failed`, 'tools');
    }
    return result;
  });
  server.setRequestHandler('resources/list', async (request, context) => {
    const resources = await calls.read('completion', 'resources/list', undefined, origin(context), async (tool) =>
      listResources(tool),
    );
    const { entries, next } = paged('resources', resources, ({ uri }) => uri, request.params?.cursor);
    return { resources: entries, ...next };
  });
  server.setRequestHandler('resources/templates/list', (request, context) => {
    origin(context);
    const { entries, next } = paged('templates', RESOURCE_TEMPLATES, ({ name }) => name, request.params?.cursor);
    return { resourceTemplates: entries, ...next };
  });
  server.setRequestHandler('resources/read', (request, context) =>
    calls.read('resource', request.params.uri, decodings(request.params.uri), origin(context), (tool) =>
      readResource(request.params.uri, tool),
    ),
  );
  server.setRequestHandler('prompts/list', (request, context) => {
    origin(context);
    const { entries, next } = paged('prompts', PROMPTS, ({ name }) => name, request.params?.cursor);
    return { prompts: entries, ...next };
  });
  server.setRequestHandler('prompts/get', (request, context) =>
    calls.read('prompt', request.params.name, request.params.arguments, origin(context), (tool) =>
      getPrompt(request.params.name, request.params.arguments ?? {}, tool),
    ),
  );
  server.setRequestHandler('completion/complete', (request, context) =>
    calls.read('completion', 'completion', request.params, origin(context), (tool) => completeArgument(request.params, tool)),
  );
  return server;
}

function originOf({ callers, clients }: ProtocolServerParts, server: Server, context: ServerContext): CallOrigin {
  const { principal, connection, calls } = callers.of(context);
  const client = clientOf(server);
  clients.seen(principal, client, server.getNegotiatedProtocolVersion());
  const progressToken = context.mcpReq._meta?.progressToken;
  return {
    principal,
    client,
    signal: context.mcpReq.signal,
    connection,
    calls,
    ...(progressToken === undefined
      ? {}
      : {
          notifyProgress: (progress, total, message) => {
            context.mcpReq
              .notify({
                method: 'notifications/progress',
                params: {
                  progressToken,
                  progress,
                  ...(total === undefined ? {} : { total }),
                  ...(message === undefined ? {} : { message }),
                },
              })
              // A client that has gone away needs no notification; its request ends by its signal.
              .catch(() => undefined);
          },
        }),
  };
}

/** A client's part of an approval: whether it can ask its person, and the answer that it got. */
function clientSideOf(server: Server, context: ServerContext): ClientSide {
  const capabilities = server.getClientCapabilities();
  const ticket = context.mcpReq.requestState<unknown>();
  const view = inputResponse(context.mcpReq.inputResponses, APPROVAL_KEY);
  const accepted = view.kind === 'elicit' && view.action === 'accept' && view.content?.['approved'] === true;
  return {
    canAsk: canElicitForms(capabilities),
    ...(typeof ticket === 'string' ? { ticket, answer: accepted ? 'accept' : 'decline' } : {}),
  };
}

/** An empty declaration means forms; one that names other modes only does not. */
function canElicitForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
}

function clientOf(server: Server): { name: string; version: string } | undefined {
  const info = server.getClientVersion();
  return info === undefined ? undefined : { name: info.name.slice(0, 120), version: info.version.slice(0, 60) };
}
