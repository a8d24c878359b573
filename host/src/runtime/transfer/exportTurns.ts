/** Exports of one connection that read at the same time. The connection has eight ways to its server, and people work on meanwhile. */
export const MOST_EXPORTS_AT_ONCE = 4;

/** The exports of each connection take turns: more at once would keep every other call of the connection from its server. */
export class ExportTurns {
  /** For each connection with exports: how many read, and those that wait, first come first. */
  readonly #byConnection = new Map<string, { reading: number; readonly waiting: Set<() => void> }>();

  /**
   * Does the work when it is its turn.
   *
   * @param onWaiting - called with true where others are first, and with false when its turn has come
   * @throws the reason of the signal when it is aborted before; the work is not begun then
   */
  async inTurn<T>(
    connectionId: string,
    signal: AbortSignal,
    work: () => Promise<T>,
    onWaiting: (isWaiting: boolean) => void = () => undefined,
  ): Promise<T> {
    const turns = this.#byConnection.get(connectionId) ?? { reading: 0, waiting: new Set() };
    this.#byConnection.set(connectionId, turns);
    if (turns.reading < MOST_EXPORTS_AT_ONCE) turns.reading += 1;
    else {
      onWaiting(true);
      await nextTurn(turns.waiting, signal);
      onWaiting(false);
    }
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      // The place goes to the next one, which is not counted again.
      const [next] = turns.waiting;
      if (next !== undefined) next();
      else {
        turns.reading -= 1;
        if (turns.reading === 0) this.#byConnection.delete(connectionId);
      }
    }
  }
}

/** Waits for a place that another export leaves. */
function nextTurn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const come = (): void => {
    waiting.delete(come);
    signal.removeEventListener('abort', leave);
    resolve();
  };
  const leave = (): void => {
    waiting.delete(come);
    reject(signal.reason as Error);
  };
  if (signal.aborted) leave();
  else {
    waiting.add(come);
    signal.addEventListener('abort', leave, { once: true });
  }
  return promise;
}
