import { ProtocolError } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isDriverError } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { SavedConnection } from '../../../common/connection.ts';
import { HostError } from '../../../common/errors.ts';
import type { Principal } from '../access/principal.ts';
import { CallerAccess } from './access.ts';
import type { CallListener, CallOutcome, CallReport } from './activity.ts';
import { MCP_CODES } from './codes.ts';
import type { McpLimits } from './limits.ts';
import type { ConnectionReader, ManifestReader, SessionUser } from './ports.ts';
import { redact } from './redact.ts';
import { ForbiddenError, InvalidArgumentsError, ToolFailure } from './tools/tool.ts';
import type { Tool, ToolContext } from './tools/tool.ts';

/** What tool calls need of the host. */
export interface ToolCallPorts {
  readonly connections: ConnectionReader;
  readonly sessions: SessionUser;
  readonly manifests: ManifestReader;
  /** What went wrong inside, for the host's own log. */
  readonly onInternalError: (error: unknown) => void;
}

/** One call as a client sent it. */
export interface ToolCall {
  readonly principal: Principal;
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly tool: string;
  readonly args: unknown;
  readonly signal: AbortSignal;
}

const FORBIDDEN_MESSAGE =
  'Forbidden: no such connection is open to this client. Call list_connections to see which are. To open one, its owner sets External ' +
  'Clients to Read Only or Read & Write and the AI policy to other than Never in its Advanced pane, and adds it to the list of the token.';

/** Runs tools: finds them, limits their time, turns every failure into what the protocol has for it, and reports each call. */
export class ToolCalls {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #ports: ToolCallPorts;
  readonly #limits: McpLimits;
  readonly #listeners = new Set<CallListener>();

  constructor(tools: readonly Tool[], ports: ToolCallPorts, limits: McpLimits) {
    this.#tools = new Map(tools.map((tool) => [tool.listed.name, tool]));
    this.#ports = ports;
    this.#limits = limits;
  }

  onCall(listener: CallListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @throws ProtocolError for what a client must see as an error of the protocol: an unknown tool, wrong arguments, Forbidden */
  async run(call: ToolCall): Promise<CallToolResult> {
    const time = new Date();
    const begin = performance.now();
    let touched: SavedConnection | undefined;
    const report = (outcome: CallOutcome, code?: string): void => {
      const { id, tokenId, kind, name } = call.principal;
      this.#report({
        time,
        principal: { id, tokenId, kind, name },
        ...(call.client === undefined ? {} : { client: call.client }),
        tool: call.tool,
        ...(touched === undefined ? {} : { connection: { id: touched.id, name: touched.name } }),
        outcome,
        ...(code === undefined ? {} : { code }),
        milliseconds: performance.now() - begin,
      });
    };

    const tool = this.#tools.get(call.tool);
    if (tool === undefined) {
      report('invalid', 'UNKNOWN_TOOL');
      throw new ProtocolError(MCP_CODES.invalidParams, `Unknown tool: ${call.tool.slice(0, 128)}`);
    }
    // Not AbortSignal.timeout: that keeps its timer, and what hangs on it, for the whole time after a call that took a millisecond.
    const timeLimit = new AbortController();
    const timer = setTimeout(() => timeLimit.abort(), this.#limits.callMilliseconds);
    const signal = AbortSignal.any([call.signal, timeLimit.signal]);
    try {
      const output = await tool.call(
        call.args,
        this.#context(call.principal, signal, (connection) => (touched = connection)),
      );
      report('done');
      return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
    } catch (error) {
      if (error instanceof InvalidArgumentsError) {
        report('invalid', 'INVALID_ARGUMENTS');
        throw new ProtocolError(MCP_CODES.invalidParams, `Invalid arguments for tool ${redact(error.message)}`);
      }
      if (error instanceof ForbiddenError) {
        report('refused', 'ACCESS_FORBIDDEN');
        throw new ProtocolError(MCP_CODES.forbidden, FORBIDDEN_MESSAGE);
      }
      const failure = this.#describe(error, timeLimit.signal.aborted && !call.signal.aborted);
      report(call.signal.aborted ? 'cancelled' : failure.refused ? 'refused' : 'failed', failure.code);
      const known = touched === undefined ? [] : hostsOf(touched, this.#ports.manifests.find(touched.driver));
      const text = redact(`${failure.code}: ${failure.message} ${failure.advice}`, known);
      return { content: [{ type: 'text', text }], isError: true };
    } finally {
      clearTimeout(timer);
    }
  }

  #context(principal: Principal, signal: AbortSignal, onTouch: (connection: SavedConnection) => void): ToolContext {
    const { connections, sessions, manifests } = this.#ports;
    const access = new CallerAccess(principal, connections);
    return {
      principal,
      signal,
      visibleConnections: () => access.visible(),
      mayDo: (connection, action) => access.mayDo(connection, action),
      state: (connection) => sessions.state(connection.id),
      manifestOf: (connection) => manifests.find(connection.driver),
      withConnection: async (named, action, work) => {
        const connection = access.require(named, action);
        onTouch(connection);
        return sessions.use(connection.id, work, { signal });
      },
    };
  }

  #describe(error: unknown, timeIsUp: boolean): Pick<ToolFailure, 'code' | 'message' | 'advice' | 'refused'> {
    if (timeIsUp) {
      const seconds = Math.round(this.#limits.callMilliseconds / 1_000);
      return {
        code: 'TIMEOUT',
        message: `The call took longer than ${seconds} seconds and was stopped.`,
        advice: 'Ask for less at once.',
        refused: false,
      };
    }
    if (error instanceof ToolFailure) return error;
    if (error instanceof HostError || isDriverError(error)) {
      return { code: error.code, message: error.message, advice: error.advice, refused: false };
    }
    this.#ports.onInternalError(error);
    const internal = new HostError('INTERNAL');
    return { code: internal.code, message: internal.message, advice: internal.advice, refused: false };
  }

  #report(report: CallReport): void {
    for (const listener of this.#listeners) {
      try {
        listener(report);
      } catch (error) {
        // A log that fails must not fail the call.
        this.#ports.onInternalError(error);
      }
    }
  }
}

/** The values of the form field that names the host, which an error of the network may repeat. */
function hostsOf(connection: SavedConnection, manifest: Manifest | undefined): string[] {
  const field = manifest?.permissions.http?.origin.host.field;
  const value = field === undefined ? undefined : connection.settings[field];
  return typeof value === 'string' ? [value] : [];
}
