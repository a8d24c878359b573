import { ambiguousName } from '../../../common/ambiguousName.ts';
import type { SavedConnection } from '../../../common/connection.ts';
import { connectionsNamed } from '../../../common/connectionsNamed.ts';
import { decideAccess } from '../access/policy.ts';
import type { AccessAction, AccessDecision } from '../access/policy.ts';
import type { ExternalClient } from '../access/externalClient.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { ForbiddenError, ToolFailure } from '../tools/tool.ts';

/** Of the driver's words in a refusal. */
const LONGEST_SUMMARY = 400;

/** One caller's view of the connections: the policy is applied to every one of them. */
export class CallerAccess {
  readonly #principal: ExternalClient;
  readonly #connections: Pick<ConnectionStore, 'list' | 'onChange'>;

  constructor(principal: ExternalClient, connections: Pick<ConnectionStore, 'list' | 'onChange'>) {
    this.#principal = principal;
    this.#connections = connections;
  }

  /** Sorted by name, then id, so that the order is the same at every call. */
  visible(): readonly SavedConnection[] {
    return this.#connections
      .list()
      .filter((connection) => this.#decide(connection, { kind: 'see' }, false).decision === 'allow')
      .toSorted((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
  }

  /** Whether it may be done, now or after a person has approved it. */
  mayDo(connection: SavedConnection, action: AccessAction): boolean {
    const { decision } = this.#decide(connection, action, false);
    return decision === 'allow' || decision === 'ask';
  }

  /**
   * The connection that is named by id or name, when the caller may do that with it without a question.
   *
   * @throws ForbiddenError, ToolFailure
   */
  require(named: string, action: AccessAction, approved = false): SavedConnection {
    const { connection, asks } = this.judge(named, action, approved);
    if (asks !== undefined) throw new ToolFailure(asks.code, asks.message, asks.advice, { refused: true });
    return connection;
  }

  /**
   * The connection that is named by id or name, when the caller may do that with it, and whether a person has to be asked first. Looked up
   * at every call: a setting that was changed a moment ago counts.
   *
   * @throws ForbiddenError, ToolFailure
   */
  judge(
    named: string,
    action: AccessAction,
    approved: boolean,
  ): { readonly connection: SavedConnection; readonly asks?: Extract<AccessDecision, { decision: 'ask' }> } {
    const connection = this.#find(named);
    if (connection === undefined) throw new ForbiddenError();
    const decision = this.#decide(connection, action, approved);
    switch (decision.decision) {
      case 'allow':
        return { connection };
      case 'ask':
        return { connection, asks: decision };
      case 'hide':
        throw new ForbiddenError();
      case 'deny':
        if (decision.reason === 'notReachable') throw new ForbiddenError();
        throw new ToolFailure(decision.code, withUncertainty(decision.message, action), decision.advice, { refused: true });
    }
  }

  /** Of two, one that the caller doesn't see is none for it. @throws ToolFailure for a text that names two */
  #find(named: string): SavedConnection | undefined {
    const found = connectionsNamed(this.#connections.list(), named);
    if (found.length < 2) return found[0];
    const seen = found.filter((connection) => this.#decide(connection, { kind: 'see' }, false).decision === 'allow');
    if (seen.length < 2) return seen[0];
    const { code, message, details } = ambiguousName(named, seen);
    throw new ToolFailure(code, message, details.advice ?? '');
  }

  #decide(connection: SavedConnection, action: AccessAction, approved: boolean): AccessDecision {
    return decideAccess({ caller: { kind: 'mcp', principal: this.#principal }, connection, action, approved });
  }
}

function withUncertainty(message: string, action: AccessAction): string {
  if (action.kind !== 'run' || action.uncertain === undefined) return message;
  return `${message} The driver isn't certain that this only reads: ${action.uncertain.slice(0, LONGEST_SUMMARY)}`;
}

/** By code units: the same everywhere, whatever the machine's language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
