import type { ClientSide } from '../approvals/approvalGate.ts';
import type { ExternalClient } from '../access/externalClient.ts';

/** One tool call as a client sent it. */
export interface ToolCall extends CallOrigin {
  readonly tool: string;
  readonly args: unknown;
  /** The client's side of an approval. */
  readonly approval: ClientSide;
}

/** The caller, and its abilities. */
export interface CallOrigin {
  readonly principal: ExternalClient;
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly signal: AbortSignal;
  /** Sends a progress notification, when the client has asked for them. */
  readonly notifyProgress?: ((progress: number, total?: number, message?: string) => void) | undefined;
}
