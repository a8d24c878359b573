import { wholeStart } from '@tabularium/sdk';
import type { ConsoleContext, StatementEffect } from '@tabularium/sdk';
import { use, useEffect, useRef, useState } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { OpenedConsoleSession } from '../../common/console.ts';
import { SharedTask } from '../../common/sharedTask.ts';
import { api } from '../api/client.ts';
import { problemOf, wasAborted, windowProblem } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { watch } from '../api/watches/watch.ts';
import { strings } from '../i18n/index.ts';
import { noteSession } from '../state/heldSessions.ts';
import { isAnswerLost } from './answerLost.ts';
import { goBackTo } from './goBackTo.ts';
import type { TransactionEndWay } from './runs.ts';
import {
  forgetLosses,
  forgetTransaction,
  leftTransactions,
  lossIn,
  noteLoss,
  noteTransaction,
  settleLeft,
} from './leftTransaction.ts';
import { endOf } from './lossOf.ts';
import type { EndedSession } from './lossOf.ts';
import { notify } from '../state/notify.ts';
import { TabPlaceContext } from '../state/TabPlaceContext.ts';
import { useUnsaved } from '../state/useUnsaved.ts';
import { onGoing, sendLastWords } from '../state/workspaceStore.ts';

/** The session of one tab as the window has it. */
export type TabSession =
  | { readonly is: 'notBegun' }
  | { readonly is: 'starting' }
  | {
      readonly is: 'open';
      readonly context: ConsoleContext;
      /** Its host doesn't answer, so that what is shown may be outdated. */
      readonly isOffline: boolean;
    }
  | ({
      readonly is: 'ended';
      /** It ended with the window that had this tab before. */
      readonly wasReloaded?: true;
    } & EndedSession);

/** The session of a tab, for runs. */
export interface SessionOfRuns {
  /** The reason why nothing runs now; undefined where it does. */
  readonly refusal: () => Problem | undefined;
  /** The session, which is begun where there is none. @throws what opening throws */
  readonly begin: (signal: AbortSignal) => Promise<OpenedConsoleSession>;
  /**
   * The context has changed.
   *
   * @param beginsNext - one transaction has ended, and the next one begun
   */
  readonly noteContext: (context: ConsoleContext, beginsNext?: boolean) => void;
  /**
   * A request is sent that may change something which no rollback takes back.
   *
   * @returns to be called at its end, with whether its answer came
   */
  readonly noteSent: () => (isAnswered: boolean) => void;
  /** A request has run to its end. */
  readonly noteRan: (statement: string, effect: StatementEffect) => void;
  /** The transaction as it is now; undefined: the session isn't open. */
  readonly transaction: () => ConsoleContext['transaction'] | undefined;
  /** Ends the transaction; undefined where there is no session, or while an earlier call ends it. Never rejects. */
  readonly endTransaction: (way: TransactionEndWay, signal: AbortSignal) => Promise<TransactionEnd | undefined>;
}

/** How the end of a transaction came out. One that was stopped may have taken effect. */
export type TransactionEnd =
  | { readonly is: 'ended' }
  | { readonly is: 'stopped' }
  | { readonly is: 'failed'; readonly title: string; readonly problem: Problem };

export interface SessionOfTab extends SessionOfRuns {
  readonly shown: TabSession;
  /** Where the tab's last session was, and the next one begins; undefined before the first. */
  readonly lastNamespace: readonly string[] | undefined;
  /** The requests of the open transaction that changed something, each as it was written, up to its first 5,000 characters. */
  readonly changes: readonly string[];
  readonly problem: { readonly title: string; readonly problem: Problem } | undefined;
  /** Whether the transaction is being ended. */
  readonly isEnding: boolean;
  /** Of the session, while it is open. */
  readonly sessionId: () => string | undefined;
  /** Whether the session sees other data than the connection's other sessions: in a transaction, or as another role. */
  readonly isApart: boolean;
  /** Set while the connection has as many sessions as it can have: continues when one was ended, or gives up. */
  readonly atLimit: ((hasRoom: boolean) => void) | undefined;
  /** Notes whether a request runs. */
  readonly setRunning: (isRunning: boolean) => void;
  /** Begins another one in the place of the one that has ended. */
  readonly start: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const MOST_CHANGES = 100;
/** More of a request in a question makes the list of a hundred slow to send to other windows. */
const LONGEST_CHANGE = 5_000;
const NO_CHANGES: readonly string[] = [];

interface Options {
  readonly connection: OpenConnectionInfo;
  /** The name of the connection. */
  readonly name: string;
  /** The tab of the console, and its title. */
  readonly id: string;
  readonly title: string;
}

/**
 * The session of one tab of the console. It begins with the tab's first request, because each is a connection to the server. One that has ended is not
 * replaced before the person says so: the next request could depend on what it had set.
 */
export function useConsoleSession({ connection, name, id, title }: Options): SessionOfTab {
  const { connectionId } = connection;
  const words = strings.consoleSession;
  const place = use(TabPlaceContext);
  const [shown, setShown] = useState<TabSession>(() => {
    const loss = lossIn(connectionId, id);
    return loss === undefined ? { is: 'notBegun' } : { is: 'ended', ...loss };
  });
  const [changes, setChanges] = useState(NO_CHANGES);
  const [problem, setProblem] = useState<SessionOfTab['problem']>();
  const [isEnding, setEnding] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [atLimit, setAtLimit] = useState<SessionOfTab['atLimit']>();
  const [firstRole, setFirstRole] = useState<string>();
  const [lastNamespace, setLastNamespace] = useState<readonly string[]>();
  // Runs last longer than a drawing, so they see the newest through references.
  const state = useRef<TabSession>(shown);
  const opened = useRef<OpenedConsoleSession>(undefined);
  const opening = useRef<SharedTask<OpenedConsoleSession, never>>(undefined);
  /** One end at a time, and none while it is awaited: what is drawn can be older than a press. */
  const ending = useRef(false);
  const leave = useRef<() => void>(undefined);
  const last = useRef(lastNamespace);
  const isGone = useRef(false);
  /** While it is asked what became of the transactions that this tab left. */
  const settling = useRef<Promise<void>>(undefined);
  /** Commits and changes whose answers have not come, and whether one of those before was lost: then it isn't known what the server did. */
  const unanswered = useRef(0);
  const hasLostAnswer = useRef(false);

  const noteSent = (): ((isAnswered: boolean) => void) => {
    unanswered.current += 1;
    return (isAnswered) => {
      unanswered.current -= 1;
      hasLostAnswer.current = !isAnswered;
    };
  };
  const noteNamespace = (namespace: readonly string[] | undefined): void => {
    last.current = namespace;
    setLastNamespace(namespace);
  };
  const show = (next: TabSession): void => {
    state.current = next;
    setShown(next);
    if (next.is === 'open') noteNamespace(next.context.namespace);
    if (next.is !== 'open' || next.context.transaction === 'none') setChanges(NO_CHANGES);
  };
  const forget = (): void => {
    leave.current?.();
    leave.current = undefined;
    opened.current = undefined;
  };
  const hadTransaction = (): boolean => state.current.is === 'open' && state.current.context.transaction !== 'none';
  const noteContext = (context: ConsoleContext, beginsNext = false): void => {
    if (state.current.is === 'open') show({ is: 'open', context, isOffline: false });
    if (beginsNext) setChanges(NO_CHANGES);
  };
  const follow = (sessionId: string): void => {
    leave.current = watch(
      { is: 'consoleSession', sessionId },
      {
        onValue: (value) => {
          if (opened.current?.sessionId !== sessionId) return;
          if (value.is === 'open') {
            if (unanswered.current === 0) hasLostAnswer.current = false;
            noteContext(value.context);
            return;
          }
          // A host that was started again has never heard of the session, nor of its transaction.
          const end = {
            why: value.why,
            hadTransaction: value.hadTransaction || hadTransaction(),
            isUncertain: value.isUncertain || unanswered.current > 0 || hasLostAnswer.current,
          };
          if (end.hadTransaction || end.isUncertain) noteLoss(connectionId, id, sessionId, end);
          forget();
          show({ is: 'ended', ...end });
        },
        onBroken: () => {
          if (state.current.is === 'open') show({ ...state.current, isOffline: true });
        },
      },
    );
  };
  /** Waits until a session of the connection was ended. @returns whether one was */
  const askForRoom = async (signal: AbortSignal): Promise<boolean> => {
    const answer = Promise.withResolvers<boolean>();
    const stop = (): void => answer.resolve(false);
    signal.addEventListener('abort', stop, { once: true });
    // A state that is a function has to be made by one.
    setAtLimit(() => answer.resolve);
    try {
      return await answer.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      setAtLimit(undefined);
    }
  };
  const openWhereRoom = async (signal: AbortSignal): Promise<OpenedConsoleSession> => {
    for (;;) {
      try {
        return await api.console.sessions.open.mutate({ connectionId }, { signal });
      } catch (error) {
        if (wasAborted(error, signal) || problemOf(error).code !== 'SESSION_LIMIT' || !(await askForRoom(signal))) throw error;
      }
    }
  };
  const closeUnused = ({ sessionId }: OpenedConsoleSession): void =>
    void api.console.sessions.close.mutate({ sessionId }).catch(() => undefined);
  /** A session in the place of the one before: a request would else run in another one than the last. */
  const openBack = async (signal: AbortSignal): Promise<OpenedConsoleSession> => {
    const session = await openWhereRoom(signal);
    try {
      return { ...session, context: await goBackTo(last.current, { connectionId, session }, signal) };
    } catch (error) {
      closeUnused(session);
      // The place may be gone. The next session begins in the first one, which is shown before.
      if (!wasAborted(error, signal)) noteNamespace(undefined);
      throw error;
    }
  };
  const openOne = async (signal: AbortSignal): Promise<OpenedConsoleSession> => {
    const before = state.current;
    setProblem(undefined);
    show({ is: 'starting' });
    try {
      const session = await openBack(signal);
      if (isGone.current) {
        closeUnused(session);
        return session;
      }
      opened.current = session;
      // Those that the person has read: another window of this tab may show one of its own.
      if (before.is === 'ended') forgetLosses(connectionId, id);
      hasLostAnswer.current = false;
      opening.current = undefined;
      setFirstRole(session.context.role);
      show({ is: 'open', context: session.context, isOffline: false });
      follow(session.sessionId);
      return session;
    } catch (error) {
      show(before);
      throw error;
    }
  };
  const refusal = (): Problem | undefined =>
    state.current.is === 'ended' && opening.current === undefined
      ? {
          code: 'CONNECTION_LOST',
          message: endOf(state.current),
          advice: words.endedAdvice,
          retryable: false,
          details: {},
        }
      : undefined;
  /** A request and the button that begins a session share one, also when both are pressed at once. */
  const begin = async (signal: AbortSignal): Promise<OpenedConsoleSession> => {
    if (opened.current !== undefined) return opened.current;
    // The request may depend on a transaction that turns out to be lost.
    if (settling.current !== undefined && state.current.is === 'notBegun') {
      await settling.current;
      const refused = refusal();
      if (refused !== undefined) throw windowProblem(refused.code, refused.message, refused.advice);
    }
    const task = opening.current ?? new SharedTask<OpenedConsoleSession, never>(openOne);
    if (opening.current === undefined) {
      opening.current = task;
      task.onFailure(() => {
        if (opening.current === task) opening.current = undefined;
      });
    }
    return task.join(signal);
  };
  const end = async (): Promise<void> => {
    const sessionId = opened.current?.sessionId;
    if (sessionId === undefined) return;
    forget();
    forgetTransaction(connectionId, id, sessionId);
    setProblem(undefined);
    show({ is: 'notBegun' });
    // A host that doesn't answer now closes it when it is followed no longer.
    await api.console.sessions.close.mutate({ sessionId }).catch(() => undefined);
  };
  const newest = useRef(end);
  useEffect(() => {
    newest.current = end;
  });
  useEffect(() => {
    isGone.current = false;
    // Locks must not wait until the host misses the window.
    const ignore = onGoing(() => {
      if (opened.current !== undefined) sendLastWords('console.sessions.close', { sessionId: opened.current.sessionId });
    });
    return () => {
      ignore();
      isGone.current = true;
      void newest.current();
    };
  }, []);

  const sayWhatWasLeft = (): void => {
    const loss = lossIn(connectionId, id);
    if (loss !== undefined && state.current.is === 'notBegun') show({ is: 'ended', ...loss });
  };
  const saying = useRef(sayWhatWasLeft);
  useEffect(() => {
    saying.current = sayWhatWasLeft;
  });
  useEffect(() => {
    if (leftTransactions(connectionId, id).every(({ ended }) => ended !== undefined)) return undefined;
    const stopping = new AbortController();
    // Those without an answer are asked about again when the tab is shown again.
    const asked = settleLeft(connectionId, id, stopping.signal).then(() => {
      if (settling.current === asked) settling.current = undefined;
      if (!stopping.signal.aborted) saying.current();
    });
    settling.current = asked;
    return () => stopping.abort();
  }, [connectionId, id]);

  const transaction = shown.is === 'open' ? shown.context.transaction : undefined;
  const isOpen = transaction !== undefined && transaction !== 'none';
  const isInProgress = isRunning || isEnding;
  useEffect(() => {
    const sessionId = opened.current?.sessionId;
    if (sessionId === undefined || transaction === undefined) return;
    if (isOpen) noteTransaction(connectionId, id, { sessionId, isInProgress });
    else forgetTransaction(connectionId, id, sessionId);
  }, [connectionId, id, transaction, isOpen, isInProgress]);
  useUnsaved(isOpen ? { is: 'transaction', tab: title, connection: name, isInProgress: isRunning || isEnding } : undefined);
  const tabKey = place?.key;
  const { driverVersion, manifest } = connection;
  const driver = manifest.id;
  useEffect(() => {
    if (transaction === undefined || tabKey === undefined) return undefined;
    return noteSession(
      {
        id,
        title,
        tabKey,
        connectionId,
        connection: name,
        driver,
        driverVersion,
        transaction,
        changes,
        isRunning: isRunning || isEnding,
      },
      () => newest.current(),
    );
  }, [id, title, tabKey, connectionId, name, driver, driverVersion, transaction, changes, isRunning, isEnding]);

  return {
    shown,
    lastNamespace,
    changes,
    problem,
    isEnding,
    isApart: shown.is === 'open' && (shown.context.transaction !== 'none' || shown.context.role !== firstRole),
    sessionId: () => opened.current?.sessionId,
    atLimit,
    setRunning,
    transaction: () => (state.current.is === 'open' ? state.current.context.transaction : undefined),
    refusal,
    begin,
    noteContext,
    noteSent,
    noteRan: (statement, effect) => {
      if (effect === 'read' || !hadTransaction()) return;
      const text = statement.trim();
      const shown = text.length > LONGEST_CHANGE ? `${wholeStart(text, LONGEST_CHANGE - 1)}…` : text;
      setChanges((before) => [...before, shown].slice(-MOST_CHANGES));
    },
    endTransaction: async (way, signal) => {
      const sessionId = opened.current?.sessionId;
      if (sessionId === undefined || ending.current) return undefined;
      ending.current = true;
      setEnding(true);
      setProblem(undefined);
      const noteEnd = way === 'commit' ? noteSent() : undefined;
      try {
        noteContext(await api.console.sessions.endTransaction.mutate({ sessionId, way }, { signal }));
        noteEnd?.(true);
        notify({ tone: 'plain', text: way === 'commit' ? words.committed(name) : words.rolledBack(name) });
        return { is: 'ended' };
      } catch (error) {
        if (wasAborted(error, signal)) {
          noteEnd?.(false);
          return { is: 'stopped' };
        }
        const failure = problemOf(error);
        const isLost = isAnswerLost(failure);
        noteEnd?.(!isLost);
        if (way === 'commit' && isLost)
          return { is: 'failed', title: words.commitUnknown, problem: { ...failure, advice: words.commitUnknownAdvice } };
        return { is: 'failed', title: way === 'commit' ? words.notCommitted : words.notEnded, problem: failure };
      } finally {
        ending.current = false;
        setEnding(false);
      }
    },
    start: async () => {
      const stopping = new AbortController();
      try {
        await begin(stopping.signal);
      } catch (error) {
        if (!wasAborted(error, stopping.signal)) setProblem({ title: words.startFailed, problem: problemOf(error) });
      }
    },
    end,
  };
}
