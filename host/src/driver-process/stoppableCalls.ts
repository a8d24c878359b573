import { DriverError } from '@tabularium/sdk';
import type { Session } from '@tabularium/sdk';

/** Calls that run, and those that were stopped before they came: a call with a large body may arrive after its stop. */
const running = new WeakMap<Session, Map<string, AbortController>>();
/** A stop that comes after its call's end is remembered in vain. */
const MOST_REMEMBERED = 100;

function controllerOf(session: Session, call: string): AbortController {
  const calls = running.get(session) ?? new Map<string, AbortController>();
  running.set(session, calls);
  const found = calls.get(call) ?? new AbortController();
  calls.set(call, found);
  for (const oldest of calls.keys()) {
    if (calls.size <= MOST_REMEMBERED) break;
    if (calls.get(oldest)?.signal.aborted === true) calls.delete(oldest);
    else break;
  }
  return found;
}

/** The events of a call that {@link stopCall} can cancel by its number. A driver ends it as any call that is cancelled, and its last events still arrive. */
export async function* stoppable<T>(
  session: Session,
  call: string | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  if (call === undefined) {
    yield* work(signal);
    return;
  }
  const stopping = controllerOf(session, call).signal;
  try {
    // A driver that is cancelled before it begins gives an error, as if nothing were known of its changes.
    if (stopping.aborted) return;
    yield* work(AbortSignal.any([signal, stopping]));
  } finally {
    running.get(session)?.delete(call);
  }
}

export function stopCall(session: Session, call: string): void {
  controllerOf(session, call).abort(new DriverError('CANCELLED'));
}
