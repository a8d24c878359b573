import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { disabled, noServer, notProven, notRunning, notTrusted } from './failure.ts';
import type { BridgeFailure } from './failure.ts';
import { HANDSHAKE_NAME, isTurnedOff, readHandshake, runningHost } from './handshakeFile.ts';
import type { HandshakeRead } from './handshakeFile.ts';
import { NotProven, openProven } from './proof.ts';
import { ProvenConnections } from './provenConnections.ts';

/** How long the application may take to be there. */
export const START_MILLISECONDS = 10_000;
export const POLL_MILLISECONDS = 200;
/** A token is exchanged for the next one this long before it expires, without waiting for a refusal. */
const FRESH_MILLISECONDS = 60_000;

/** A running application that has proven itself. */
export interface McpEndpoint {
  readonly handshake: HandshakeRead;
  readonly connections: ProvenConnections;
}

export interface ApplicationOptions {
  readonly folder: string;
  /** Asks the platform to start the application. */
  readonly open: (onProblem: (cause: string) => void) => void;
}

/** Why the application was not found. */
interface Missed {
  readonly failure: BridgeFailure;
  readonly cause: string;
  /** Waiting for a start of the application doesn't help. */
  readonly final: boolean;
  /** The failure names the cause, whether the application could be opened or not. */
  readonly isKnown: boolean;
}

/** Where the application is: found, started where it does not run, and found again after it has gone. */
export class RunningApplication {
  readonly #options: ApplicationOptions;
  #endpoint: McpEndpoint | undefined;
  #locating: Promise<McpEndpoint> | undefined;

  constructor(options: ApplicationOptions) {
    this.#options = options;
  }

  /**
   * The application, proven. Several requests that wait for it wait for the same search.
   *
   * @throws BridgeFailure
   */
  find(): Promise<McpEndpoint> {
    const { fresh } = this;
    if (fresh !== undefined) return Promise.resolve(fresh);
    this.#locating ??= this.#locate().finally(() => {
      this.#locating = undefined;
    });
    return this.#locating;
  }

  /** Looks again next time, unless another request has found another one meanwhile. */
  forget(endpoint: McpEndpoint): void {
    if (this.#endpoint !== endpoint) return;
    this.#endpoint = undefined;
    endpoint.connections.retire();
  }

  /** Where it was found last. Starts nothing. */
  get known(): McpEndpoint | undefined {
    return this.#endpoint;
  }

  /** Where it was found last, as long as its token is good for a while. */
  get fresh(): McpEndpoint | undefined {
    const known = this.#endpoint;
    return known !== undefined && known.handshake.expiresAt - Date.now() > FRESH_MILLISECONDS ? known : undefined;
  }

  async #locate(): Promise<McpEndpoint> {
    const { folder } = this.#options;
    const deadline = Date.now() + START_MILLISECONDS;
    let openerProblem: string | undefined;
    let opened = false;
    for (;;) {
      const look = await this.#look(folder);
      if ('endpoint' in look) {
        this.#endpoint = look.endpoint;
        return look.endpoint;
      }
      if (look.final && !opened) throw look.failure;
      if (await isTurnedOff(folder)) throw disabled();
      if (!opened) {
        opened = true;
        this.#options.open((cause) => {
          openerProblem = cause;
        });
      } else if (Date.now() >= deadline) {
        if (openerProblem === undefined || look.isKnown) throw look.failure;
        throw notRunning('launch', `${openerProblem} ${look.cause}`);
      }
      await delay(POLL_MILLISECONDS);
    }
  }

  async #look(folder: string): Promise<{ readonly endpoint: McpEndpoint } | Missed> {
    const reading = await readHandshake(folder);
    if (!reading.ok) {
      const { found, cause, remedy, final = false } = reading;
      if (remedy !== undefined) return { failure: notTrusted(cause, remedy), cause, final, isKnown: true };
      const pid = await runningHost(folder);
      if (pid !== undefined) return { failure: noServer(pid, cause), cause, final, isKnown: true };
      return { failure: notRunning(found ? 'handshake' : 'launch', cause), cause, final, isKnown: false };
    }
    const handshake = reading.value;
    const known = this.#endpoint;
    // The same instance has proven itself before; its connections are still good, and every new one is proven again.
    if (known?.handshake.instanceId === handshake.instanceId && known.handshake.proofSecret === handshake.proofSecret) {
      return { endpoint: { handshake, connections: known.connections } };
    }
    try {
      return { endpoint: { handshake, connections: new ProvenConnections(handshake, await openProven(handshake)) } };
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      if (!(error instanceof NotProven)) return { failure: notRunning('handshake', cause), cause, final: false, isKnown: false };
      // Another instance may have taken the port, and be about to say so.
      await delay(POLL_MILLISECONDS);
      const again = await readHandshake(folder);
      const same = again.ok && again.value.instanceId === handshake.instanceId;
      return { failure: notProven(join(folder, HANDSHAKE_NAME), cause), cause, final: same, isKnown: same };
    }
  }
}
