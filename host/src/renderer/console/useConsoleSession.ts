import type { ConsoleContext, StatementEffect } from '@tabularium/sdk';
import { use, useEffect, useRef, useState } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { OpenedConsoleSession } from '../../common/console.ts';
import { api } from '../api/client.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { watch } from '../api/watches/watch.ts';
import { useUnsavedQuestion } from '../editing/useUnsavedQuestion.ts';
import { strings } from '../i18n/index.ts';
import { lossOf } from './lossOf.ts';
import type { EndedSession } from './lossOf.ts';
import { notify } from '../state/notify.ts';
import { noteTransaction } from '../state/openTransactions.ts';
import { TabPlaceContext } from '../state/TabPlaceContext.ts';
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
  | ({ readonly is: 'ended' } & EndedSession);

/** The session of a tab, for runs. */
export interface SessionOfRuns {
  /** The reason why nothing runs now; undefined where it does. */
  readonly refusal: () => Problem | undefined;
  /** The session, which is begun where there is none. @throws what opening throws */
  readonly begin: (signal: AbortSignal) => Promise<OpenedConsoleSession>;
  /** The context has changed. */
  readonly noteContext: (context: ConsoleContext) => void;
  /** A request has run to its end. */
  readonly noteRan: (statement: string, effect: StatementEffect) => void;
}

export interface SessionOfTab extends SessionOfRuns {
  readonly shown: TabSession;
  /** The requests of the open transaction that changed something, each by its first line. */
  readonly changes: readonly string[];
  readonly problem: { readonly title: string; readonly problem: Problem } | undefined;
  /** Whether the transaction is being ended. */
  readonly isEnding: boolean;
  readonly endTransaction: (way: 'commit' | 'rollBack') => Promise<void>;
  /** Begins another one in the place of the one that has ended. */
  readonly start: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const MOST_CHANGES = 100;
const LINE_LENGTH = 200;
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
export function useConsoleSession({ connection: { connectionId }, name, id, title }: Options): SessionOfTab {
  const words = strings.consoleSession;
  const place = use(TabPlaceContext);
  const [shown, setShown] = useState<TabSession>({ is: 'notBegun' });
  const [changes, setChanges] = useState(NO_CHANGES);
  const [problem, setProblem] = useState<SessionOfTab['problem']>();
  const [isEnding, setEnding] = useState(false);
  // Runs last longer than a drawing, so they see the newest through references.
  const state = useRef<TabSession>(shown);
  const opened = useRef<OpenedConsoleSession>(undefined);
  const leave = useRef<() => void>(undefined);
  const isGone = useRef(false);

  const show = (next: TabSession): void => {
    state.current = next;
    setShown(next);
    if (next.is !== 'open' || next.context.transaction === 'none') setChanges(NO_CHANGES);
  };
  const forget = (): void => {
    leave.current?.();
    leave.current = undefined;
    opened.current = undefined;
  };
  const hadTransaction = (): boolean => state.current.is === 'open' && state.current.context.transaction !== 'none';
  const noteContext = (context: ConsoleContext): void => {
    if (state.current.is === 'open') show({ is: 'open', context, isOffline: false });
  };
  const follow = (sessionId: string): void => {
    leave.current = watch(
      { is: 'consoleSession', sessionId },
      {
        onValue: (value) => {
          if (opened.current?.sessionId !== sessionId) return;
          if (value.is === 'open') {
            noteContext(value.context);
            return;
          }
          // A host that was started again has never heard of the session, nor of its transaction.
          const end = {
            why: value.why,
            hadTransaction: value.hadTransaction || hadTransaction(),
            isUncertain: value.isUncertain,
          };
          forget();
          show({ is: 'ended', ...end });
        },
        onBroken: () => {
          if (state.current.is === 'open') show({ ...state.current, isOffline: true });
        },
      },
    );
  };
  const begin = async (signal: AbortSignal): Promise<OpenedConsoleSession> => {
    if (opened.current !== undefined) return opened.current;
    const before = state.current;
    setProblem(undefined);
    show({ is: 'starting' });
    try {
      const session = await api.console.sessions.open.mutate({ connectionId }, { signal });
      if (isGone.current) {
        void api.console.sessions.close.mutate({ sessionId: session.sessionId }).catch(() => undefined);
        return session;
      }
      opened.current = session;
      show({ is: 'open', context: session.context, isOffline: false });
      follow(session.sessionId);
      return session;
    } catch (error) {
      show(before);
      throw error;
    }
  };
  const end = async (): Promise<void> => {
    const sessionId = opened.current?.sessionId;
    if (sessionId === undefined) return;
    forget();
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

  const isOpen = shown.is === 'open' && shown.context.transaction !== 'none';
  useUnsavedQuestion(isOpen);
  useEffect(
    () => (isOpen && place !== undefined ? noteTransaction({ place, id, title, connection: name, changes }) : undefined),
    [isOpen, place, id, title, name, changes],
  );

  return {
    shown,
    changes,
    problem,
    isEnding,
    refusal: () =>
      state.current.is === 'ended'
        ? {
            code: 'CONNECTION_LOST',
            message: [words.ended[state.current.why], lossOf(state.current)].join(' '),
            advice: words.endedAdvice,
            retryable: false,
            details: {},
          }
        : undefined,
    begin,
    noteContext,
    noteRan: (statement, effect) => {
      if (effect === 'read' || !hadTransaction()) return;
      const line = statement.trim().split('\n', 1)[0]?.slice(0, LINE_LENGTH) ?? '';
      setChanges((before) => [...before, line].slice(-MOST_CHANGES));
    },
    endTransaction: async (way) => {
      const sessionId = opened.current?.sessionId;
      if (sessionId === undefined) return;
      setEnding(true);
      setProblem(undefined);
      try {
        noteContext(await api.console.sessions.endTransaction.mutate({ sessionId, way }));
        notify({ tone: 'plain', text: way === 'commit' ? words.committed(name) : words.rolledBack(name) });
      } catch (error) {
        setProblem({ title: way === 'commit' ? words.notCommitted : words.notEnded, problem: problemOf(error) });
      } finally {
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
