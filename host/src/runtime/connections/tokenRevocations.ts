import { setTimeout as delay } from 'node:timers/promises';
import type { Inject } from '../container/inject.ts';
import { loggerOf, silentLogger } from '../storage/logger.ts';
import type { Logger } from '../storage/logger.ts';

/** Milliseconds that one revocation may take. */
const REVOCATION_TIME = 15_000;
/** Milliseconds that a host which stops waits for the revocations that run. */
const STOP_TIME = 3_000;

/** Revokes a token. @returns whether the provider confirmed it; false where it has no address for that */
export type Revoke = (signal: AbortSignal) => Promise<boolean>;

/** Revokes tokens that were given and are not used, each in a bounded time, whether somebody waits for it or not. */
export class TokenRevocations implements AsyncDisposable {
  static readonly inject: Inject<typeof TokenRevocations> = [loggerOf('sign-in')];

  readonly #logger: Logger;
  readonly #running = new Set<Promise<boolean>>();
  readonly #stopping = new AbortController();

  constructor(logger: Logger = silentLogger) {
    this.#logger = logger;
  }

  /** Never rejects: an error is in the log. @returns what `revoke` returns, or false */
  run(revoke: Revoke): Promise<boolean> {
    const running = this.#run(revoke).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const over = new AbortController();
    const late = delay(STOP_TIME, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#running), late]);
    over.abort();
    this.#stopping.abort();
  }

  async #run(revoke: Revoke): Promise<boolean> {
    try {
      return await revoke(AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(REVOCATION_TIME)]));
    } catch (error) {
      this.#logger.warn(`a sign-in that isn't used could not be revoked at its provider: ${String(error)}`);
      return false;
    }
  }
}
