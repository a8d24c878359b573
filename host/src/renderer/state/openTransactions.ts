import { createStore, useStore } from 'zustand';
import { askBeforeSessionsEnd } from '../api/sessionEnds.ts';
import type { EndedSessions } from '../api/sessionEnds.ts';
import { heldSessions } from './heldSessions.ts';
import type { ListedSession } from './heldSessions.ts';

/** `close`: a tab, or the connection, is closed; `end`: the step is about something else, and ends sessions on its way. */
type StepKind = 'close' | 'end';

/** A step of a person that would roll back transactions. */
export interface RollingBackStep {
  readonly kind: StepKind;
  /** The sessions with those transactions. */
  readonly sessions: readonly ListedSession[];
  readonly answer: (agrees: boolean) => void;
}

interface StepOptions {
  readonly kind: StepKind;
  /** Whether the step ends a session. */
  readonly isEnded: (session: ListedSession) => boolean;
  /** Takes the step. */
  readonly goOn: () => void;
  /** The person keeps the transactions open. */
  readonly onDeclined?: () => void;
}

const open = createStore<{ readonly asked?: RollingBackStep | undefined }>(() => ({}));

/**
 * Takes a step that ends sessions of consoles, at once where no transaction is open in them, else when the person has agreed that it is rolled back.
 *
 * @returns withdraws the question
 */
export function endTransactions({ kind, isEnded, goOn, onDeclined }: StepOptions): () => void {
  const sessions = heldSessions().filter((session) => session.transaction !== 'none' && isEnded(session));
  if (sessions.length === 0) {
    goOn();
    return () => undefined;
  }
  const withdraw = (): void => {
    if (open.getState().asked === asked) open.setState({ asked: undefined });
  };
  const asked: RollingBackStep = {
    kind,
    sessions,
    answer: (agrees) => {
      withdraw();
      if (agrees) goOn();
      else onDeclined?.();
    },
  };
  // Of two steps the second one counts.
  open.getState().asked?.answer(false);
  open.setState({ asked });
  return withdraw;
}

/** As {@link endTransactions}, for a step that isn't a closing. @returns whether it may be taken */
export function agreesToEnd(isEnded: (session: ListedSession) => boolean, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const withdraw = endTransactions({ kind: 'end', isEnded, goOn: () => resolve(true), onDeclined: () => resolve(false) });
    signal?.addEventListener('abort', () => {
      withdraw();
      resolve(false);
    });
  });
}

function isEndedBy(ended: EndedSessions, session: ListedSession): boolean {
  if (ended.of === 'connection') return session.connectionId === ended.connectionId;
  return ended.of === 'any' || session.driver === ended.driver;
}
askBeforeSessionsEnd((ended, signal) => agreesToEnd((session) => isEndedBy(ended, session), signal));

export function useRollingBackStep(): RollingBackStep | undefined {
  return useStore(open, ({ asked }) => asked);
}
