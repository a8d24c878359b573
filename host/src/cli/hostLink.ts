import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../common/errors.ts';
import { HostUnavailable } from '../runtime/ownerSocket/commandClient.ts';
import type { CommandClient } from '../runtime/ownerSocket/commandClient.ts';
import { CommandSocket } from '../runtime/ownerSocket/commandSocket.ts';
import type { RunCommand } from '../runtime/ownerSocket/commandSocket.ts';
import type { Home } from '../runtime/storage/home.ts';
import type { HomeLock } from '../runtime/storage/homeLock.ts';
import type { Logger } from '../runtime/storage/logger.ts';
import { COMMANDS, commandRunner } from './commands/index.ts';
import type { CommandInput, CommandName, CommandOutput } from './commands/index.ts';
import { commandEventSchema } from './commands/command.ts';
import type { CommandEvent } from './commands/command.ts';
import type { StartRuntime } from './hostServices.ts';
import { takeHomeOrFindHost } from './takeHome.ts';

/** How often a command is given to another host, because the one before was gone; with a pause, that is some seconds. */
const MOST_ATTEMPTS = 100;
const PAUSE_MILLISECONDS = 50;

export interface LinkOptions {
  readonly home: Home;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  readonly startRuntime: StartRuntime;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onEvent?: (event: CommandEvent) => void | Promise<void>;
}

/**
 * The way of a command to the host that owns the home. Where none runs, the runtime runs in this process for as long as the command does,
 * and serves other commands meanwhile.
 */
export class HostLink implements AsyncDisposable {
  readonly #options: LinkOptions;
  #host: CommandClient | OwnRuntime | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Runs one command. @throws what it throws, and HostError `HOME_IN_USE`, `HOME_UNUSABLE` */
  async run<Name extends CommandName>(name: Name, input: CommandInput<Name>, options: RunOptions): Promise<CommandOutput<Name>> {
    const { signal } = options;
    const onEvent = async (event: unknown): Promise<void> => options.onEvent?.(commandEventSchema.parse(event));
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      this.#host ??= await this.#find(signal);
      try {
        const result = await this.#host.run(name, input, { signal, onEvent });
        return parseOutput(name, result);
      } catch (error) {
        if (!(error instanceof HostUnavailable)) throw error;
        this.#host = undefined;
        if (attempt === MOST_ATTEMPTS) {
          throw new HostError('HOME_IN_USE', `The host that owns ${this.#options.home.folder} takes no commands.`, {
            cause: error,
          });
        }
        await delay(PAUSE_MILLISECONDS, undefined, { signal });
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#host instanceof OwnRuntime) await this.#host[Symbol.asyncDispose]();
    this.#host = undefined;
  }

  async #find(signal: AbortSignal): Promise<CommandClient | OwnRuntime> {
    const found = await takeHomeOrFindHost(this.#options.home, { signal, accepts: () => true });
    return 'host' in found ? found.host : OwnRuntime.start(found.lock, this.#options);
  }
}

function parseOutput<Name extends CommandName>(name: Name, value: unknown): CommandOutput<Name> {
  const result = COMMANDS[name].output.safeParse(value);
  if (result.success) return result.data as CommandOutput<Name>;
  throw new HostError('INTERNAL', 'The host answered in a way that this version does not understand.', { cause: result.error });
}

/** The runtime in this process, for the length of a command. */
class OwnRuntime implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #socket: CommandSocket;
  readonly #run: RunCommand;

  static async start(lock: HomeLock, options: LinkOptions): Promise<OwnRuntime> {
    await using stack = new AsyncDisposableStack();
    stack.use(lock);
    const { home, env, logger, version } = options;
    const runtime = stack.use(await options.startRuntime({ home, env, logger }));
    const run = commandRunner({ ...runtime.services, lifetime: 'command', newWindowUrl: () => undefined });
    const socket = stack.use(await CommandSocket.open(lock, { lifetime: 'command', version, logger, run }));
    return new OwnRuntime(stack.move(), socket, run);
  }

  private constructor(stack: AsyncDisposableStack, socket: CommandSocket, run: RunCommand) {
    this.#stack = stack;
    this.#socket = socket;
    this.#run = run;
  }

  run(
    command: string,
    input: unknown,
    { signal, onEvent }: { readonly signal: AbortSignal; readonly onEvent: (event: unknown) => Promise<void> },
  ): Promise<unknown> {
    return this.#run({ command, arguments: input }, { signal, emit: onEvent });
  }

  /** Other commands that came meanwhile are finished first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#socket.drain();
    await this.#stack.disposeAsync();
  }
}
