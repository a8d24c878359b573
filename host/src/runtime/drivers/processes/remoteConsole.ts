import { isDriverError } from '@tabularium/sdk';
import type { ConsoleContext, ConsoleSession, ExplainFacet, SessionEvent, SessionRunOptions } from '@tabularium/sdk';
import type { Calls } from './remoteCalls.ts';

const NEVER = new AbortController().signal;
/** For a commit or rollback: a constraint that is checked late, or a standby far away, takes its time, and a person can stop it. */
const END_MILLISECONDS = 60 * 60_000;
let lastNumber = 0;

/** A console session in the driver's process. */
export interface RemoteConsole extends ConsoleSession {
  /**
   * Asks for the context, once the call that runs or was stopped has come to its end.
   *
   * @throws DriverError `CONNECTION_LOST` when the session is gone
   */
  readContext(signal: AbortSignal): Promise<ConsoleContext>;
}

/** Opens a console session in the driver's process. One whose opening failed or was given up is closed there. */
export async function openRemoteConsole(calls: Calls, signal: AbortSignal): Promise<RemoteConsole> {
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
    const opened = await calls.json('console.openSession', { console }, signal);
    let { context } = opened;
    const readContext = async (own: AbortSignal): Promise<ConsoleContext> =>
      (context = await calls.json('console.sessionContext', { console }, own));
    /** After a call that failed, was stopped or left: no event says any more what it did to the transaction. Gone is gone, whatever the call said. */
    const look = async (failure: unknown): Promise<void> => {
      if (closing !== undefined || (isDriverError(failure) && GONE.has(failure.code))) return;
      await readContext(NEVER).catch((error: unknown) => {
        if (isDriverError(error) && GONE.has(error.code)) throw error;
      });
    };
    const run = async function* (
      statement: string,
      { signal: own, ...options }: SessionRunOptions,
    ): AsyncGenerator<SessionEvent, void, undefined> {
      let isWhole = false;
      let failure: unknown;
      try {
        for await (const event of calls.events('console.sessionRun', { console, statement, ...options }, own)) {
          if (event.type === 'context') context = event.context;
          yield event;
        }
        isWhole = true;
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        if (!isWhole) await look(failure);
      }
    };
    return {
      get context() {
        return context;
      },
      classify: (statement, options) => calls.json('console.sessionClassify', { console, statement }, options.signal),
      run,
      ...(opened.takesParameters
        ? {
            parameters: (statement, options) => calls.json('console.sessionParameters', { console, statement }, options.signal),
          }
        : {}),
      ...(opened.explains
        ? {
            explain: {
              classify: (statement, { analyze, signal: own }) =>
                calls.json('console.sessionClassifyPlan', { console, statement, analyze }, own),
              explain: (statement, { analyze, signal: own }) =>
                calls.json('console.sessionExplain', { console, statement, analyze }, own),
            } satisfies ExplainFacet,
          }
        : {}),
      endTransaction: async (way, options) => {
        try {
          context = await calls.json('console.sessionEnd', { console, way }, options.signal, END_MILLISECONDS);
          return context;
        } catch (error) {
          await look(error);
          throw error;
        }
      },
      readContext,
      close,
    };
  } catch (error) {
    void close();
    throw error;
  }
}

/** Errors after which there is nothing left to ask. */
const GONE: ReadonlySet<string> = new Set(['CONNECTION_LOST', 'DRIVER_CRASHED']);
