import { inputRequired, ProtocolError } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { ApprovalQuestion } from '../approvals/approvalQuestion.ts';
import { elicitationMessage } from '../approvals/elicitationMessage.ts';
import { CallScope } from './callScope.ts';
import type { CallPorts } from './callScope.ts';
import type { CallListener, CallOutcome, CallReport } from './callReport.ts';
import { forbidden, MCP_CODES } from './codes.ts';
import type { McpLimits } from './limits.ts';
import { describeFailure, LOOK_BEFORE_REPEATING } from './failures.ts';
import { errorText } from './errorText.ts';
import { BadTicketError, ForbiddenError, InputNeeded, InvalidArgumentsError } from '../tools/tool.ts';
import type { CallerAbilities, ListedTool, Tool, ToolContext } from '../tools/tool.ts';
import { CallerAccess } from './callerAccess.ts';
import type { ExternalClient } from '../access/externalClient.ts';
import type { ToolCall } from './toolCall.ts';
import type { CallOrigin } from './toolCall.ts';

/** The key of the one question in an answer that asks for input. */
export const APPROVAL_KEY = 'approve';

/** Runs what clients call: limits its time, turns every failure into what the protocol has for it, and reports each call. */
export class ToolCalls {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #ports: CallPorts;
  readonly #limits: McpLimits;
  readonly #listeners = new Set<CallListener>();
  readonly #inFlight = new Set<CallScope>();

  constructor(tools: readonly Tool[], ports: CallPorts, limits: McpLimits) {
    this.#tools = new Map(tools.map((tool) => [tool.listed.name, tool]));
    this.#ports = ports;
    this.#limits = limits;
    // A call runs only as long as it is allowed: lowering the access cuts calls that it does not allow any more.
    ports.connections.onChange(() => {
      for (const scope of this.#inFlight) scope.cutIfForbidden();
    });
  }

  onCall(listener: CallListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The tools that a principal can use, in their fixed order; those that the specification names among them in any case. */
  listedFor(principal: ExternalClient): readonly ListedTool[] {
    const abilities = this.abilitiesOf(principal);
    return [...this.#tools.values()].filter((tool) => tool.isFor(abilities)).map(({ listed }) => listed);
  }

  /** A principal's abilities in all its connections together; looked up at every call, as settings change. */
  abilitiesOf(principal: ExternalClient): CallerAbilities {
    const { connections, exportFolders, history, savedRequests } = this.#ports;
    const access = new CallerAccess(principal, connections);
    const visible = access.visible();
    return {
      read: visible.length > 0,
      write: visible.some((connection) => access.mayDo(connection, { kind: 'run', effect: 'write' })),
      destroy: visible.some((connection) => access.mayDo(connection, { kind: 'confirmDestructive' })),
      exportFiles: exportFolders().length > 0,
      history: history !== undefined,
      savedRequests: savedRequests !== undefined,
    };
  }

  /**
   * Answers are text, and wrong arguments a failed call: models see both in every host. A host that asks for it gets the same as
   * `structuredContent` besides.
   *
   * @throws ProtocolError for what a client must see as an error of the protocol: an unknown tool, Forbidden
   */
  async run(call: ToolCall): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.#tools.get(call.tool);
    return this.#reported('tool', call.tool, call, async (scope, report) => {
      if (tool === undefined) {
        report('invalid', 'UNKNOWN_TOOL');
        throw new ProtocolError(MCP_CODES.invalidParams, errorText(`Unknown tool: ${call.tool.slice(0, 128)}`));
      }
      try {
        const output = await tool.call(call.args, scope.context);
        // Rows and texts of the client are never redacted: what is hidden in them would confirm a guess.
        const text = JSON.stringify(output);
        const { endedEarly } = scope;
        if (endedEarly === undefined) report('done');
        else report(call.signal.aborted ? 'cancelled' : 'failed', endedEarly);
        const isError = endedEarly === undefined ? {} : { isError: true };
        return {
          content: [{ type: 'text', text }],
          ...isError,
          ...(call.structured === true ? { structuredContent: output } : {}),
        };
      } catch (error) {
        if (error instanceof InputNeeded) {
          report('asked');
          return askPerson(error.question, error.ticket);
        }
        if (error instanceof InvalidArgumentsError) {
          report('invalid', 'INVALID_ARGUMENTS');
          const text = `${errorText(`INVALID_ARGUMENTS: ${error.message}`)} Nothing was done. Correct the arguments and call again.`;
          return { content: [{ type: 'text', text }], isError: true };
        }
        if (error instanceof BadTicketError) {
          report('refused', 'BAD_TICKET');
          throw new ProtocolError(MCP_CODES.invalidParams, 'Invalid or expired requestState: call again without it.', {
            reason: 'invalid_request_state',
          });
        }
        if (error instanceof ForbiddenError || scope.isCut) {
          report('refused', 'ACCESS_FORBIDDEN');
          throw forbidden(scope.mayHaveChanged ? ` ${LOOK_BEFORE_REPEATING}` : '');
        }
        const failure = describeFailure(error, scope, this.#limits, this.#ports.onInternalError);
        report(call.signal.aborted ? 'cancelled' : failure.refused ? 'refused' : 'failed', failure.code);
        return {
          content: [{ type: 'text', text: scope.errorText(`${failure.code}: ${failure.message} ${failure.advice}`) }],
          isError: true,
        };
      }
    });
  }

  /**
   * Does something else than a tool, a resource or a prompt, under the same rules: policy, time, report.
   *
   * @param sent - all that the client sent with it
   * @throws ProtocolError
   */
  async read<T>(
    kind: 'resource' | 'prompt' | 'completion',
    name: string,
    sent: unknown,
    origin: CallOrigin,
    work: (context: ToolContext) => Promise<T>,
  ): Promise<T> {
    const call: ToolCall = { ...origin, tool: name, args: sent, approval: { canAsk: false } };
    return this.#reported(kind, name, call, async (scope, report) => {
      try {
        const result = await work(scope.context);
        report('done');
        return result;
      } catch (error) {
        if (error instanceof ForbiddenError || scope.isCut) {
          report('refused', 'ACCESS_FORBIDDEN');
          throw forbidden();
        }
        if (error instanceof ProtocolError) {
          report('invalid', String(error.code));
          throw error;
        }
        if (error instanceof InvalidArgumentsError) {
          report('invalid', 'INVALID_ARGUMENTS');
          throw new ProtocolError(MCP_CODES.invalidParams, errorText(error.message));
        }
        const failure = describeFailure(error, scope, this.#limits, this.#ports.onInternalError);
        report(call.signal.aborted ? 'cancelled' : failure.refused ? 'refused' : 'failed', failure.code);
        const code =
          failure.code === 'NOT_FOUND' || failure.code === 'INVALID_INPUT' ? MCP_CODES.invalidParams : MCP_CODES.failed;
        throw new ProtocolError(code, scope.errorText(`${failure.code}: ${failure.message} ${failure.advice}`));
      }
    });
  }

  async #reported<T>(
    kind: CallReport['kind'] | 'completion',
    name: string,
    call: ToolCall,
    work: (scope: CallScope, report: (outcome: CallOutcome, code?: string) => void) => Promise<T>,
  ): Promise<T> {
    const time = new Date();
    const begin = performance.now();
    const scope = new CallScope(call, this.#ports, this.#limits);
    const report = (outcome: CallOutcome, code?: string): void => {
      // Completions come with every key that a person types; what they show, lists show too.
      if (kind === 'completion' && outcome === 'done') return;
      const { id, tokenId, kind: principalKind, name: principalName } = call.principal;
      const { touched, approvedBy, statement } = scope;
      this.#report({
        time,
        kind: kind === 'completion' ? 'prompt' : kind,
        principal: { id, tokenId, kind: principalKind, name: principalName },
        ...(call.client === undefined ? {} : { client: call.client }),
        tool: name.slice(0, 200),
        ...(touched === undefined ? {} : { connection: { id: touched.id, name: touched.name } }),
        outcome,
        ...(code === undefined ? {} : { code }),
        ...(approvedBy === undefined ? {} : { approvedBy }),
        ...(statement === undefined ? {} : { statement }),
        milliseconds: performance.now() - begin,
      });
    };
    const leave = call.calls?.enter();
    this.#inFlight.add(scope);
    try {
      return await work(scope, report);
    } finally {
      this.#inFlight.delete(scope);
      scope.end();
      leave?.();
    }
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

/** The question as the client puts it to its person: the whole of it, see `CLIENT_BOUND`. */
function askPerson(question: ApprovalQuestion, ticket: string): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [APPROVAL_KEY]: inputRequired.elicit({
        mode: 'form',
        message: elicitationMessage(question),
        requestedSchema: {
          type: 'object',
          properties: {
            approved: {
              type: 'boolean',
              title: 'Allow',
              description: 'Your approval of exactly this operation, once.',
              default: false,
            },
          },
          required: ['approved'],
        },
      }),
    },
    requestState: ticket,
  });
}
