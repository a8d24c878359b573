/** Lets work on one connection follow other work on it, in the order of the calls. Work on others runs meanwhile. */
export class ConnectionTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** Never from within other work on the same connection: it would wait for itself. */
  async take<Result>(connectionId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(connectionId);
    const mine = Promise.withResolvers<void>();
    this.#last.set(connectionId, mine.promise);
    try {
      await before;
      return await work();
    } finally {
      mine.resolve();
      if (this.#last.get(connectionId) === mine.promise) this.#last.delete(connectionId);
    }
  }
}
