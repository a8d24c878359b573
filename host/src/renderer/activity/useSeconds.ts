import { useSyncExternalStore } from 'react';

/** One clock for all durations of a table: a timer for each would be hundreds. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(() => {
      // A hidden window shows no seconds.
      if (document.hidden) return;
      now = Date.now();
      for (const each of listeners) each();
    }, 1_000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const never = (): (() => void) => () => undefined;

/**
 * The milliseconds since a moment, counted in seconds.
 *
 * @param counts - otherwise none have passed
 */
export function useSeconds(since: number, counts: boolean): number {
  const at = useSyncExternalStore(counts ? subscribe : never, () => (counts ? now : since));
  return Math.max(0, at - since);
}
