import { Agent } from 'node:http';
import type { ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HandshakeRead } from './handshakeFile.ts';
import { openProven } from './proof.ts';

/** A pool of connections each of which was proven before anything is sent over it. */
class ProvenAgent extends Agent {
  readonly #open: () => Promise<Socket>;

  constructor(open: () => Promise<Socket>) {
    super({ keepAlive: true, scheduling: 'lifo' });
    this.#open = open;
  }

  /** All go to one place. */
  override getName(): string {
    return 'application';
  }

  /** A connection on this machine needs no probes: the kernel reports its end. */
  override keepSocketAlive(socket: Duplex): boolean {
    (socket as Socket).unref();
    return true;
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    this.#open().then(
      (socket) => callback?.(null, socket),
      // Node passes on the error alone.
      (error: unknown) => (callback as ((error: unknown) => void) | undefined)?.(error),
    );
    return undefined;
  }
}

/** The connections to one instance of the application. */
export class ProvenConnections {
  /** For requests. */
  readonly requests: Agent;
  /** For what requests may wait for, and for what stays open. */
  readonly others: Agent;
  #spare: Socket | undefined;

  /** @param spare - a connection that was proven already */
  constructor(handshake: HandshakeRead, spare: Socket) {
    this.#spare = spare;
    spare.once('close', this.#dropSpare).on('error', ignore);
    this.requests = new ProvenAgent(async () => this.#takeSpare() ?? openProven(handshake));
    this.others = new ProvenAgent(() => openProven(handshake));
  }

  /** Closes what is idle. Connections in use continue to their end. */
  retire(): void {
    this.#takeSpare()?.destroy();
    for (const agent of [this.requests, this.others]) {
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    }
  }

  /** Closes everything. */
  close(): void {
    this.retire();
    this.requests.destroy();
    this.others.destroy();
  }

  readonly #dropSpare = (): void => {
    this.#spare = undefined;
  };

  #takeSpare(): Socket | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    spare?.off('close', this.#dropSpare).off('error', ignore);
    return spare?.destroyed === true ? undefined : spare;
  }
}

/** The error of an unused connection needs no report. */
function ignore(): void {
  // Its end is seen by 'close'.
}
