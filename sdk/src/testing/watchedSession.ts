import type { Session } from '../driver.ts';
import { FACETS } from '../protocol/methods.ts';

/** Maps an error before a check sees it. */
export type HoldError = (what: string, error: unknown) => unknown;

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function watchedStream(events: AsyncIterable<unknown>, what: string, hold: HoldError): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = events[Symbol.asyncIterator]();
      const held = (promise: Promise<IteratorResult<unknown>>): Promise<IteratorResult<unknown>> =>
        promise.catch((error: unknown) => {
          throw hold(what, error);
        });
      return {
        next: () => held(iterator.next()),
        return: (value: unknown) => held(iterator.return?.(value) ?? Promise.resolve({ done: true, value })),
      };
    },
  };
}

function watchedCall(owner: object, call: (...parameters: unknown[]) => unknown, what: string, hold: HoldError) {
  return (...parameters: unknown[]): unknown => {
    let answer: unknown;
    try {
      answer = Reflect.apply(call, owner, parameters);
    } catch (error) {
      throw hold(what, error);
    }
    if (isAsyncIterable(answer)) return watchedStream(answer, what, hold);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      throw hold(what, error);
    });
  };
}

function watched<T extends object>(owner: T, path: string, members: readonly string[], hold: HoldError): T {
  // An empty target: a member that the driver froze must be handed out changed all the same.
  return new Proxy({} as T, {
    get(_target, name) {
      const value: unknown = Reflect.get(owner, name);
      const what = `${path}${String(name)}`;
      if (typeof value === 'function') return watchedCall(owner, value as (...parameters: unknown[]) => unknown, what, hold);
      if (typeof value === 'object' && value !== null && members.includes(String(name)))
        return watched(value, `${what}.`, [], hold);
      return value;
    },
  });
}

/** The session, every error of it and of its facets handed through `hold`. */
export function watchedSession(session: Session, hold: HoldError): Session {
  return watched(session, '', FACETS, hold);
}
