import type { Principal } from '../access/principal.ts';

/** How a call ended: done; refused by policy; not understood; failed in the driver or the host; given up by the client. */
export type CallOutcome = 'done' | 'refused' | 'invalid' | 'failed' | 'cancelled';

/** One tool call, as a log may keep it. Holds no argument, no statement and no row. */
export interface CallReport {
  readonly time: Date;
  readonly principal: Pick<Principal, 'id' | 'tokenId' | 'kind' | 'name'>;
  /** What the client calls itself; not to be trusted. */
  readonly client?: { readonly name: string; readonly version: string };
  readonly tool: string;
  /** The connection that was asked for, where there is one that the client may know of. */
  readonly connection?: { readonly id: string; readonly name: string };
  readonly outcome: CallOutcome;
  /** The error's code, when there was one. */
  readonly code?: string;
  readonly milliseconds: number;
}

/** Told of every tool call, after its answer is known. */
export type CallListener = (report: CallReport) => void;
