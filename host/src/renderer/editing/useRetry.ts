import { useEffect, useRef } from 'react';
import { onHostReturn } from '../api/hostLink/hostLink.ts';
import { onServerReturn } from '../api/reachability.ts';
import { onSignedIn } from '../state/signedOut.ts';

/** Milliseconds before the first attempt; each later one comes twice as late, up to the longest pause. */
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;

/**
 * Tries again while something is stuck: after pauses that become longer, when the window gets the focus, and when the host, a server or a connection is there again.
 *
 * @param attempt - changes with each attempt
 */
export function useRetry(isStuck: boolean, retry: () => void, attempt: number): void {
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
  const pauses = useRef(0);
  useEffect(() => {
    if (!isStuck) {
      pauses.current = 0;
      return undefined;
    }
    const now = (): void => latest.current();
    const timer = setTimeout(now, Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** pauses.current));
    pauses.current += 1;
    const leave = [onHostReturn(now), onServerReturn(now), onSignedIn(now)];
    window.addEventListener('focus', now);
    return () => {
      clearTimeout(timer);
      for (const end of leave) end();
      window.removeEventListener('focus', now);
    };
  }, [isStuck, attempt]);
}
