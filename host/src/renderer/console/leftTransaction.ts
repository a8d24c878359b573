import { z } from 'zod';
import { api } from '../api/client.ts';
import { flush, recall, recallNames, remember } from '../state/workspaceStore.ts';
import type { EndedSession } from './lossOf.ts';

// Each transaction that a tab of the console has open, or lost, is stored beside its text, so that whichever window shows the text next says so, too.

const endedSchema = z.object({
  why: z.enum(['closed', 'idle', 'lost']),
  hadTransaction: z.boolean(),
  isUncertain: z.boolean(),
  /** It ended with its window. */
  wasReloaded: z.literal(true).optional(),
});
export type EndedEarlier = z.output<typeof endedSchema>;

const noteSchema = z.object({
  /** Whether a request ran in the transaction, or its end did. */
  isInProgress: z.boolean(),
  /** How its session ended. The note stays until the person begins another one or closes the tab. */
  ended: endedSchema.optional(),
});
type Note = z.output<typeof noteSchema>;

/** A transaction that a tab of the console has, or had, open. */
export interface LeftTransaction extends Note {
  readonly sessionId: string;
}

/** Of each session: several windows can show one tab, each with a session of its own. */
const prefixOf = (tabId: string): string => `console-transaction ${tabId} `;
const nameOf = (tabId: string, sessionId: string): string => `${prefixOf(tabId)}${sessionId}`;

const noteUnder = (connectionId: string, name: string): Note | undefined => noteSchema.safeParse(recall(connectionId, name)).data;

function write(connectionId: string, name: string, note: Note | undefined): void {
  if (JSON.stringify(noteUnder(connectionId, name)) === JSON.stringify(note)) return;
  remember(connectionId, name, note === undefined ? undefined : structuredClone(note));
  // A host that is killed must not lose it.
  void flush();
}

export function noteTransaction(connectionId: string, tabId: string, { sessionId, isInProgress }: LeftTransaction): void {
  write(connectionId, nameOf(tabId, sessionId), { isInProgress });
}

/** Notes how a session ended with its transaction; what is noted of its end already stays. */
export function noteLoss(connectionId: string, tabId: string, sessionId: string, ended: EndedEarlier): void {
  const name = nameOf(tabId, sessionId);
  if (noteUnder(connectionId, name)?.ended === undefined) write(connectionId, name, { isInProgress: false, ended });
}

export function forgetTransaction(connectionId: string, tabId: string, sessionId: string): void {
  write(connectionId, nameOf(tabId, sessionId), undefined);
}

export function leftTransactions(connectionId: string, tabId: string): readonly LeftTransaction[] {
  const prefix = prefixOf(tabId);
  const names = recallNames(connectionId).filter((name) => name.startsWith(prefix));
  return names.flatMap((name) => {
    const note = noteUnder(connectionId, name);
    return note === undefined ? [] : [{ ...note, sessionId: name.slice(prefix.length) }];
  });
}

/** The loss that a tab has to say before anything runs in it. */
export function lossIn(connectionId: string, tabId: string): EndedEarlier | undefined {
  const losses = leftTransactions(connectionId, tabId).flatMap(({ ended }) => ended ?? []);
  return losses.find(({ isUncertain }) => isUncertain) ?? losses[0];
}

/** The person has read what was lost, or closes the tab. */
export function forgetLosses(connectionId: string, tabId: string): void {
  for (const { sessionId, ended } of leftTransactions(connectionId, tabId))
    if (ended !== undefined) forgetTransaction(connectionId, tabId, sessionId);
}

/**
 * How the session of a transaction ended that this tab had open in a window before; it is ended now if it hasn't yet.
 *
 * @returns undefined where no transaction was rolled back: it was ended before; `open` where another window has it
 */
async function endOfLeft(
  { sessionId, isInProgress }: LeftTransaction,
  signal: AbortSignal,
): Promise<EndedSession | 'open' | undefined> {
  const state = await api.console.sessions.leave.mutate({ sessionId }, { signal });
  if (state.is === 'open') return 'open';
  const { why, hadTransaction, isUncertain } = state;
  // A host that was started again has never heard of the transaction.
  if (state.isForgotten === true) return { why, hadTransaction: true, isUncertain: isInProgress };
  return hadTransaction || isUncertain ? { why, hadTransaction, isUncertain } : undefined;
}

/** Asks what became of the transactions that this tab left in windows before, and notes each loss. Never fails. */
export async function settleLeft(connectionId: string, tabId: string, signal: AbortSignal): Promise<void> {
  const open = leftTransactions(connectionId, tabId).filter(({ ended }) => ended === undefined);
  await Promise.allSettled(
    open.map(async (left) => {
      const { sessionId } = left;
      const end = await endOfLeft(left, signal);
      if (end === 'open') return;
      if (end === undefined) forgetTransaction(connectionId, tabId, sessionId);
      else write(connectionId, nameOf(tabId, sessionId), { isInProgress: false, ended: { ...end, wasReloaded: true } });
    }),
  );
}
