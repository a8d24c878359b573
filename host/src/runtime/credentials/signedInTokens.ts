/** Facts that a provider gives of a sign-in, for the person who signed in to see. */
export interface SignInFacts {
  /** The name of their account, as it came. */
  readonly account?: string;
  /** When the sign-in ends unless it is used. Milliseconds since 1970. */
  readonly until?: number;
}

/** The answer of a token server to a refresh token. */
export interface RefreshedTokens {
  readonly accessToken: string;
  /** When the access token is to be replaced. Milliseconds since 1970. */
  readonly until: number;
  /** Where the server gave a new one, the old one is spent. */
  readonly refreshToken?: string;
  readonly facts?: SignInFacts;
}

export interface TokenHooks {
  /** Stores a new refresh token. Called before the access token that came with it is used. */
  readonly keep?: (refreshToken: string) => Promise<void>;
  /** Every token that the host has in memory, so that logs can be searched for it. */
  readonly seen?: (token: string, kind: 'access' | 'refresh') => void;
  /** Called with the facts that came beside the tokens. */
  readonly facts?: (facts: SignInFacts) => void;
  /** The provider takes the refresh token no more: the person has to sign in again. */
  readonly ended?: () => void;
}

/**
 * The tokens that a person got by signing in: the refresh token, and the access token of the moment, which is in memory alone. All sessions of a connection
 * share one of these, so that one of them refreshes at a time: with a server that replaces refresh tokens, two would spend the same one, which
 * such servers take for a theft.
 */
export class SignedInTokens {
  #hooks: TokenHooks;
  readonly #now: () => number;
  #refreshToken: string;
  #access: { readonly text: string; readonly until: number } | undefined;
  #asking: Promise<string> | undefined;
  #saving: Promise<unknown> | undefined;
  #ended: Error | undefined;

  constructor(refreshToken: string, hooks: TokenHooks = {}, now: () => number = Date.now) {
    this.#refreshToken = refreshToken;
    this.#hooks = hooks;
    this.#now = now;
  }

  /** Every token of the moment. */
  get values(): readonly string[] {
    return this.#access === undefined ? [this.#refreshToken] : [this.#refreshToken, this.#access.text];
  }

  get refreshToken(): string {
    return this.#refreshToken;
  }

  /** Whether the provider takes the refresh token no more. */
  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** The refresh token that is the last one for now: a refresh that is in flight may replace it. */
  async settled(): Promise<string> {
    await this.#asking?.catch(() => undefined);
    return this.#refreshToken;
  }

  /** Takes other hooks from now on, also for a refresh that is in flight. */
  hookTo(hooks: TokenHooks): void {
    this.#hooks = hooks;
  }

  /**
   * Saves the refresh token, which none spends meanwhile: a refresh that is in flight ends before, and another one begins after it.
   *
   * @param save - never waits for an access token
   */
  async saved<Result>(save: (refreshToken: string) => Promise<Result>): Promise<Result> {
    const before = this.#saving;
    const saving = (async () => {
      await before?.catch(() => undefined);
      return save(await this.settled());
    })();
    this.#saving = saving;
    try {
      return await saving;
    } finally {
      if (this.#saving === saving) this.#saving = undefined;
    }
  }

  /**
   * The access token, a new one where there is none that is still good.
   *
   * @param refresh - asks the token server; a sign-in that it ends (see `endedBy`) is not asked for again
   */
  async access(
    refresh: (refreshToken: string) => Promise<RefreshedTokens>,
    endedBy: (error: unknown) => boolean,
  ): Promise<string> {
    if (this.#ended !== undefined) throw this.#ended;
    if (this.#access !== undefined && this.#now() < this.#access.until) return this.#access.text;
    if (this.#asking === undefined && this.#saving !== undefined) {
      await this.#saving.catch(() => undefined);
      return this.access(refresh, endedBy);
    }
    if (this.#asking === undefined) {
      this.#asking = this.#ask(refresh, endedBy).finally(() => {
        this.#asking = undefined;
      });
      // Each request that waits gets the error; all of them may have been cancelled.
      this.#asking.catch(() => undefined);
    }
    return this.#asking;
  }

  /** Forgets an access token that a server refused. @returns whether the next one will be another */
  refuse(accessToken: string): boolean {
    if (this.#access?.text === accessToken) this.#access = undefined;
    return this.#ended === undefined;
  }

  async #ask(refresh: (refreshToken: string) => Promise<RefreshedTokens>, endedBy: (error: unknown) => boolean): Promise<string> {
    let answer: RefreshedTokens;
    try {
      answer = await refresh(this.#refreshToken);
    } catch (error) {
      if (error instanceof Error && endedBy(error)) {
        this.#ended = error;
        this.#hooks.ended?.();
      }
      throw error;
    }
    this.#hooks.seen?.(answer.accessToken, 'access');
    if (answer.refreshToken !== undefined && answer.refreshToken !== this.#refreshToken) {
      this.#refreshToken = answer.refreshToken;
      this.#hooks.seen?.(answer.refreshToken, 'refresh');
      // First stored, then used. A host that ends in between has the spent one, and the person signs in again.
      await this.#hooks.keep?.(answer.refreshToken);
    }
    if (answer.facts !== undefined) this.#hooks.facts?.(answer.facts);
    this.#access = { text: answer.accessToken, until: answer.until };
    return answer.accessToken;
  }
}
