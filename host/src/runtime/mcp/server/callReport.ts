import type { ActivityKind, ActivityOutcome } from '../../../common/integrations.ts';
import type { ExternalClient } from '../access/externalClient.ts';

/**
 * How a call ended: done; a person is asked by the client; refused by policy or by a person; not understood; failed in the driver or the
 * host; given up by the client.
 */
export type CallOutcome = Exclude<ActivityOutcome, 'limited'>;

/** One call, as a log may keep it. Holds no argument and no row. */
export interface CallReport {
  readonly time: Date;
  readonly kind: Extract<ActivityKind, 'tool' | 'resource' | 'prompt'>;
  readonly principal: Pick<ExternalClient, 'id' | 'tokenId' | 'kind' | 'name'>;
  /** The client's own name; untrusted. */
  readonly client?: { readonly name: string; readonly version: string };
  /** The tool, resource or prompt. */
  readonly tool: string;
  /** The connection that was asked for, where there is one that the client may know of. */
  readonly connection?: { readonly id: string; readonly name: string };
  readonly outcome: CallOutcome;
  /** The error's code, when there was one. */
  readonly code?: string;
  readonly approvedBy?: string;
  /** The statement or requests of a change, or of execute_query. The log keeps its digest, and the text only where it may. */
  readonly statement?: string;
  readonly milliseconds: number;
}

/** Called for every call, after its answer is known. */
export type CallListener = (report: CallReport) => void;
