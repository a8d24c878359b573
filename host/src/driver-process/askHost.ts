import type { WireAnswer, WireRequest } from '@tabularium/sdk/protocol';

/** Sends a request to the host. */
export type AskHost = (request: WireRequest) => Promise<WireAnswer>;
