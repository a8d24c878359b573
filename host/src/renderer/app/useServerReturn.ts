import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { meansAway, onServerReturn, useIsAway } from '../api/reachability.ts';

/** Milliseconds before the first question; each later one comes twice as late, up to the longest pause. */
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;

/**
 * While the server of a connection can't be reached: asks after pauses that become longer, and when a person returns to the window, whether it answers.
 * When it does, all that failed is read again: without this a pane that had nothing to show would stay a report of an error that is over.
 */
export function useServerReturn(connectionId: string): void {
  const client = useQueryClient();
  const isAway = useIsAway(connectionId);
  useEffect(() => {
    if (!isAway) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let pause = FIRST_PAUSE;
    const ask = async (): Promise<void> => {
      // A hidden window asks when it is seen again.
      if (isAsking || document.hidden) return;
      clearTimeout(timer);
      isAsking = true;
      try {
        // The answer is noted where every answer of a server is.
        await api.tables.list.query({ connectionId }, { signal });
      } catch (error) {
        const { code } = problemOf(error);
        // A server that rejects the credential isn't asked over and over: it may lock the account.
        if (signal.aborted || !(meansAway(code) || code === 'HOST_UNREACHABLE')) return;
        timer = setTimeout(() => void ask(), pause);
        pause = Math.min(LONGEST_PAUSE, pause * 2);
      } finally {
        isAsking = false;
      }
    };
    timer = setTimeout(() => void ask(), pause);
    const onSeen = (): void => void ask();
    window.addEventListener('focus', onSeen, { signal });
    document.addEventListener('visibilitychange', onSeen, { signal });
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [connectionId, isAway]);
  useEffect(
    () =>
      onServerReturn((id) => {
        if (id !== connectionId) return;
        void client.refetchQueries({ predicate: ({ queryKey, state }) => state.status === 'error' && queryKey.includes(id) });
      }),
    [client, connectionId],
  );
}
