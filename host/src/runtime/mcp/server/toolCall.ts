import type { ClientSide } from '../approvals/approvalGate.ts';
import type { ExternalClient } from '../access/externalClient.ts';
import type { RequestCalls } from './requestCalls.ts';

/** The key in `_meta` of a call by which a program, which no model reads along with, gets `structuredContent`. */
export const STRUCTURED_KEY = 'tabularium/structuredContent';

/** One tool call as a client sent it. */
export interface ToolCall extends CallOrigin {
  readonly tool: string;
  readonly args: unknown;
  /** The client's side of an approval. */
  readonly approval: ClientSide;
  /** Whether the client asked for the answer as `structuredContent` too, by {@link STRUCTURED_KEY}. */
  readonly structured?: boolean;
}

/** The caller, and its abilities. */
export interface CallOrigin {
  readonly principal: ExternalClient;
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly signal: AbortSignal;
  /**
   * Aborted when the client is no longer there. A call in a session continues without its connection; a question to a person does not, for its client
   * never learns of the answer.
   */
  readonly connection?: AbortSignal | undefined;
  /** The calls of the request that this one came with. */
  readonly calls?: RequestCalls | undefined;
  /** Sends a progress notification, when the client has asked for them. */
  readonly notifyProgress?: ((progress: number, total?: number, message?: string) => void) | undefined;
}
