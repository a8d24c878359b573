import type { ConsoleSession } from '@tabularium/sdk';
import type { Calls } from './remoteCalls.ts';

const NEVER = new AbortController().signal;
let lastNumber = 0;

/** Opens a console session in the driver's process. One whose opening failed or was given up is closed there. */
export async function openRemoteConsole(calls: Calls, signal: AbortSignal): Promise<ConsoleSession> {
  lastNumber += 1;
  const console = lastNumber;
  let closing: Promise<void> | undefined;
  // Also for a process that has ended: what can't be closed is gone.
  const close = (): Promise<void> =>
    (closing ??= calls.json('console.sessionClose', { console }, NEVER).then(
      () => undefined,
      () => undefined,
    ));
  try {
    const { context, takesParameters } = await calls.json('console.openSession', { console }, signal);
    return {
      context,
      classify: (statement, options) => calls.json('console.sessionClassify', { console, statement }, options.signal),
      run: (statement, { signal: own, ...options }) =>
        calls.events('console.sessionRun', { console, statement, ...options }, own),
      ...(takesParameters
        ? {
            parameters: (statement, options) => calls.json('console.sessionParameters', { console, statement }, options.signal),
          }
        : {}),
      endTransaction: (way, options) => calls.json('console.sessionEnd', { console, way }, options.signal),
      close,
    } satisfies ConsoleSession;
  } catch (error) {
    void close();
    throw error;
  }
}
