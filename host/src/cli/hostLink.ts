import { setTimeout as delay } from 'node:timers/promises';
import { abortableCopy } from '../common/abortableRequest.ts';
import { HostError } from '../common/errors.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import { HostUnavailable } from '../runtime/ownerSocket/connectToHost.ts';
import { OwnerSocket } from '../runtime/ownerSocket/ownerSocket.ts';
import type { Home } from '../runtime/storage/home.ts';
import type { HomeLock } from '../runtime/storage/homeLock.ts';
import type { Logger } from '../runtime/storage/logger.ts';
import { ownerApi } from './ownerApi.ts';
import type { OwnerApi } from './ownerApi.ts';
import type { StartRuntime } from './runningRuntime.ts';
import { takeHomeOrFindHost } from './takeHome.ts';

/** How often a call is given to another host, because the one before was gone; with a pause, that is some seconds. */
const MOST_ATTEMPTS = 100;
const PAUSE_MILLISECONDS = 50;

export interface LinkOptions {
  readonly home: Home;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  readonly startRuntime: StartRuntime;
}

/**
 * The way of a command to the API of the host that owns the home. Where none runs, the runtime runs in this process for as long as the
 * command does, and serves other commands meanwhile.
 */
export class HostLink implements AsyncDisposable {
  readonly #options: LinkOptions;
  /** One search for all calls that come meanwhile. */
  #host: Promise<{ readonly handler: FetchHandler }> | undefined;
  /** Calls fail as the host's own do, and with HostError `HOME_IN_USE`, `HOME_UNUSABLE`. */
  readonly api: OwnerApi;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.api = ownerApi((request) => this.#ask(request));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const host = await this.#host?.catch(() => undefined);
    if (host instanceof OwnRuntime) await host[Symbol.asyncDispose]();
    this.#host = undefined;
  }

  async #ask(request: Request): Promise<Response> {
    const { signal } = request;
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      const host = (this.#host ??= this.#find(signal));
      try {
        return await (await host).handler(abortableCopy(request));
      } catch (error) {
        if (!(error instanceof HostUnavailable)) throw error;
        // Another call may have found the next one meanwhile.
        if (this.#host === host) this.#host = undefined;
        if (attempt === MOST_ATTEMPTS) {
          throw new HostError('HOME_IN_USE', `The host that owns ${this.#options.home.folder} takes no commands.`, {
            cause: error,
          });
        }
        await delay(PAUSE_MILLISECONDS, undefined, { signal });
      }
    }
  }

  async #find(signal: AbortSignal): Promise<{ readonly handler: FetchHandler }> {
    const found = await takeHomeOrFindHost(this.#options.home, { signal, accepts: () => true });
    return 'host' in found ? found.host : OwnRuntime.start(found.lock, this.#options);
  }
}

/** The runtime in this process, for the length of a command. */
class OwnRuntime implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #socket: OwnerSocket;
  readonly handler: FetchHandler;

  static async start(lock: HomeLock, options: LinkOptions): Promise<OwnRuntime> {
    await using stack = new AsyncDisposableStack();
    stack.use(lock);
    const { home, env, logger, version } = options;
    const runtime = stack.use(await options.startRuntime({ home, env, logger }));
    const handler = runtime.ownerHandler({ lifetime: 'command', newWindowUrl: () => undefined });
    const socket = stack.use(await OwnerSocket.open(lock, { lifetime: 'command', version, logger, handler }));
    return new OwnRuntime(stack.move(), socket, handler);
  }

  private constructor(stack: AsyncDisposableStack, socket: OwnerSocket, handler: FetchHandler) {
    this.#stack = stack;
    this.#socket = socket;
    this.handler = handler;
  }

  /** Other commands that came meanwhile are finished first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#socket.drain();
    await this.#stack.disposeAsync();
  }
}
