import type { StatementEffect } from '@tabularium/sdk';
import type { ConnectionAccess } from '../../../common/access.ts';
import { HOST_ERRORS } from '../../../common/errors.ts';
import type { HostErrorCode } from '../../../common/errors.ts';
import type { Caller, ExternalClient } from './externalClient.ts';

/** The action of a caller on a connection. */
export type AccessAction =
  /** To learn that it exists: lists, resources, completions, subscriptions. */
  | { readonly kind: 'see' }
  /** To learn the shape of what it holds. */
  | { readonly kind: 'describe' }
  /** To read rows or count them. */
  | { readonly kind: 'read' }
  /** To run a statement, or a staged change, of that effect. */
  | {
      readonly kind: 'run';
      readonly effect: StatementEffect;
      /** The driver's words for a statement of which it doesn't say what it does. */
      readonly uncertain?: string;
    }
  /** To run a destructive statement through the one door that is made for it. */
  | { readonly kind: 'confirmDestructive' }
  /** To change the connection itself: its settings, its access, its credentials. */
  | { readonly kind: 'manage' };

/** One question to the policy: every dimension that the answer depends on. */
export interface AccessQuestion {
  readonly caller: Caller;
  readonly connection: { readonly id: string; readonly access: ConnectionAccess };
  readonly action: AccessAction;
  /** Whether a person has approved exactly this. */
  readonly approved: boolean;
}

/** Why something is refused. */
export type DenialReason =
  | 'notReachable'
  | 'readOnlyMode'
  | 'connectionReadOnly'
  | 'tokenReadOnly'
  | 'destructiveStatement'
  | 'bridgeNeverConfirms'
  | 'needsFullAccess'
  | 'ownerOnly';

/** The content of a refusal. */
export interface PolicyRefusal {
  readonly code: HostErrorCode;
  /** The refusal in one sentence. */
  readonly message: string;
  /** Advice, for a person or for the model. */
  readonly advice: string;
}

export type AccessDecision =
  | { readonly decision: 'allow'; readonly effect: StatementEffect }
  /** For this caller the connection does not exist. */
  | { readonly decision: 'hide' }
  | ({ readonly decision: 'deny'; readonly reason: DenialReason } & PolicyRefusal)
  /** A person has to approve it first. */
  | ({ readonly decision: 'ask'; readonly effect: StatementEffect } & PolicyRefusal);

/**
 * Decides whether a caller may do something to a connection. The only place where this is decided; asked before any driver is. Pure: the
 * same question has the same answer.
 */
export function decideAccess({ caller, connection, action, approved }: AccessQuestion): AccessDecision {
  const effect = effectOf(action);
  // For every caller. The connection can still be managed, or the mode could not be turned off.
  const isFrozen = connection.access.readOnly === true && effect !== 'read' && action.kind !== 'manage';
  if (caller.kind !== 'mcp') return isFrozen ? DENIALS.readOnlyMode : { decision: 'allow', effect };
  const { principal } = caller;
  if (!isReachable(principal, connection)) return action.kind === 'see' ? { decision: 'hide' } : DENIALS.notReachable;
  if (action.kind === 'manage') return DENIALS.ownerOnly;
  if (effect === 'read') return { decision: 'allow', effect };

  if (isFrozen) return DENIALS.readOnlyMode;
  if (connection.access.externalClients !== 'readWrite') return DENIALS.connectionReadOnly;
  if (principal.scope === 'readOnly') return DENIALS.tokenReadOnly;
  if (action.kind === 'run' && effect === 'destructive') return DENIALS.destructiveStatement;
  if (action.kind === 'confirmDestructive') {
    if (principal.kind === 'bridge') return DENIALS.bridgeNeverConfirms;
    if (principal.scope !== 'fullAccess') return DENIALS.needsFullAccess;
  }
  if (connection.access.aiPolicy === 'askEachTime' && !approved) return { decision: 'ask', effect, ...APPROVAL };
  return { decision: 'allow', effect };
}

/** The effect of an action on data. */
function effectOf(action: AccessAction): StatementEffect {
  switch (action.kind) {
    case 'see':
    case 'describe':
    case 'read':
      return 'read';
    case 'run':
      return action.effect;
    case 'confirmDestructive':
      return 'destructive';
    case 'manage':
      return 'write';
  }
}

function isReachable(principal: ExternalClient, { id, access }: AccessQuestion['connection']): boolean {
  return (
    access.externalClients !== 'blocked' &&
    access.aiPolicy !== 'never' &&
    (principal.connections === 'all' || principal.connections.includes(id))
  );
}

/** The one answer for a connection that is not open to a caller, and for one that doesn't exist. */
export function notReachable(): PolicyRefusal {
  return DENIALS.notReachable;
}

type Denial = Extract<AccessDecision, { decision: 'deny' }>;

function denial(reason: DenialReason, code: HostErrorCode, message: string, advice: string = HOST_ERRORS[code].advice): Denial {
  return { decision: 'deny', reason, code, message, advice };
}

/** None reveals a fact that is new to the caller. */
const DENIALS: Readonly<Record<DenialReason, Denial>> = {
  notReachable: denial(
    'notReachable',
    'ACCESS_FORBIDDEN',
    "The connection doesn't exist, or this client isn't allowed to use it.",
    'Call list_connections to see which are. To open one, its owner sets External Clients to Read Only or Read & Write and the AI policy to ' +
      'other than Never in its Advanced pane, and adds it to the list of the token.',
  ),
  readOnlyMode: denial(
    'readOnlyMode',
    'CONNECTION_READ_ONLY',
    'The owner has put this connection into read-only mode.',
    'Read instead. Its owner turns the mode off in its Advanced pane.',
  ),
  connectionReadOnly: denial('connectionReadOnly', 'READ_ONLY', 'External clients can only read this connection.'),
  tokenReadOnly: denial(
    'tokenReadOnly',
    'READ_ONLY',
    'This token is read-only.',
    'Use a token of scope Read & Write; for what loses data, or what the driver does not understand, one with full access. Or do it in the window.',
  ),
  destructiveStatement: denial(
    'destructiveStatement',
    'ACCESS_FORBIDDEN',
    'A statement that loses data, creates a key, changes the server, or that the driver does not understand is not run here.',
    'Call confirm_destructive_operation with it, using a token with full access, or run it in the window.',
  ),
  bridgeNeverConfirms: denial(
    'bridgeNeverConfirms',
    'ACCESS_FORBIDDEN',
    "Clients of the stdio bridge can't confirm destructive operations.",
    'Run the statement in the window, or connect by HTTP with a token with full access.',
  ),
  needsFullAccess: denial(
    'needsFullAccess',
    'ACCESS_FORBIDDEN',
    'Only a token with full access can confirm a destructive operation.',
    'Use a token with full access, or run the statement in the window.',
  ),
  ownerOnly: denial(
    'ownerOnly',
    'ACCESS_FORBIDDEN',
    'Only the owner manages connections.',
    'Use the window or the command line.',
  ),
};

const APPROVAL: PolicyRefusal = {
  code: 'APPROVAL_REQUIRED',
  message: 'A person must approve this change first.',
  advice: HOST_ERRORS.APPROVAL_REQUIRED.advice,
};
