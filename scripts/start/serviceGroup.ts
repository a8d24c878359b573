import { startService } from './service.ts';
import type { Service } from './service.ts';

export interface ServiceOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** Default: this Node. */
  readonly program?: string;
  /** Whether its end ends everything in good order. */
  readonly mayEnd?: boolean;
}

/** The processes of one start. They end together: when one ends without being stopped, all do. */
export class ServiceGroup {
  readonly #running: Service[] = [];
  readonly #stopped = new Set<Service>();
  readonly #onEnd: (exitCode: number) => void;
  #stopping = false;

  /** @param onEnd - called when a service ended without being stopped, with the exit code that the whole start should end with */
  constructor(onEnd: (exitCode: number) => void) {
    this.#onEnd = onEnd;
  }

  /** @throws Error when the program can't be started or isn't ready in time */
  async start(name: string, args: readonly string[], options: ServiceOptions = {}): Promise<Service> {
    const print = (line: string): void => void process.stderr.write(`${line}\n`);
    const service = await startService(name, args, { ...process.env, ...options.environment }, print, options.program);
    if (this.#stopping) {
      await service.stop();
      return service;
    }
    this.#running.push(service);
    void service.ended.then(() => {
      if (this.#stopping || this.#stopped.has(service)) return;
      if (options.mayEnd !== true) process.stderr.write(`${name} ended unexpectedly.\n`);
      this.#onEnd(options.mayEnd === true ? 0 : 1);
    });
    return service;
  }

  /** Stops one service; the others keep running. */
  async stop(service: Service): Promise<void> {
    this.#stopped.add(service);
    const at = this.#running.indexOf(service);
    if (at !== -1) this.#running.splice(at, 1);
    await service.stop();
  }

  /** Stops everything, the last started first, so that no service loses what it depends on. */
  async stopAll(): Promise<void> {
    this.#stopping = true;
    for (const service of this.#running.toReversed()) await service.stop();
  }
}
