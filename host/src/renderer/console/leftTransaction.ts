import { z } from 'zod';
import { api } from '../api/client.ts';
import type { EndedSession } from './lossOf.ts';

/** A transaction that a tab of the console has open, for the same tab after this window was loaded again. */
const leftSchema = z.object({
  sessionId: z.uuid(),
  /** Whether a request ran in it, or its end did. */
  isInProgress: z.boolean(),
});
export type LeftTransaction = z.output<typeof leftSchema>;

/** Of this window alone: another one has tabs with the same texts, and sessions of its own. */
const keyOf = (connectionId: string, tabId: string): string => `tabularium-console-transaction ${connectionId} ${tabId}`;

export function noteTransaction(connectionId: string, tabId: string, left: LeftTransaction): void {
  sessionStorage.setItem(keyOf(connectionId, tabId), JSON.stringify(left));
}

/** @param sessionId - nothing is forgotten where another session is noted by now */
export function forgetTransaction(connectionId: string, tabId: string, sessionId: string): void {
  if (leftTransaction(connectionId, tabId)?.sessionId === sessionId) sessionStorage.removeItem(keyOf(connectionId, tabId));
}

export function leftTransaction(connectionId: string, tabId: string): LeftTransaction | undefined {
  try {
    return leftSchema.safeParse(JSON.parse(sessionStorage.getItem(keyOf(connectionId, tabId)) ?? 'null')).data;
  } catch {
    return undefined;
  }
}

/**
 * How the session of a transaction ended that this tab had open before the window was loaded again; it is ended now if it hasn't yet.
 *
 * @returns undefined where no transaction was rolled back: it was ended before, or another window has it
 */
export async function endOfLeft(
  { sessionId, isInProgress }: LeftTransaction,
  signal: AbortSignal,
): Promise<EndedSession | undefined> {
  const state = await api.console.sessions.leave.mutate({ sessionId }, { signal });
  if (state.is === 'open') return undefined;
  const { why } = state;
  // A host that was started again has never heard of the transaction.
  if (state.isForgotten === true) return { why, hadTransaction: true, isUncertain: isInProgress };
  return state.hadTransaction || state.isUncertain ? state : undefined;
}
