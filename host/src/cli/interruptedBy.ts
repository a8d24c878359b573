import type { EventEmitter } from 'node:events';

/** A closing terminal, and npm, send several signals at once. A person who presses Ctrl-C again takes longer. */
const ONE_INTERRUPTION_MILLISECONDS = 1_000;

/**
 * Aborted by the first signal to end.
 *
 * @param endAtOnce - called for a signal that comes later, when the end takes too long for a person
 */
export function interruptedBy(
  signals: Pick<EventEmitter, 'on'>,
  endAtOnce: () => void,
  now: () => number = () => performance.now(),
): AbortSignal {
  const interrupted = new AbortController();
  let first: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    signals.on(signal, () => {
      first ??= now();
      if (now() - first >= ONE_INTERRUPTION_MILLISECONDS) endAtOnce();
      else interrupted.abort(new DOMException('Interrupted.', 'AbortError'));
    });
  }
  return interrupted.signal;
}
