import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuseFaulty } from './refuseFaulty.ts';

/** How many connections a server keeps, and how long without proof of who is there. */
export interface ConnectionLimits {
  /** Open connections. */
  readonly connections: number;
  /** Milliseconds that a connection may stay open without an authenticated request. */
  readonly strangerMilliseconds: number;
}

/** A stranger this young may have sent its request already, so that another is closed for a newer connection. In milliseconds. */
const GRACE_MILLISECONDS = 50;
/** By how much a burst of strangers may exceed the limit until the grace is over. */
const BURST_FACTOR = 2;
/** Accept errors come in floods. One is reported in this time, in milliseconds. */
const REPORT_MILLISECONDS = 60_000;

interface Known {
  readonly socket: Socket;
  readonly since: number;
  /** Requests whose answer is not complete. */
  requests: number;
}

/**
 * Keeps the connections of a server within a limit, without closing one that an authenticated client uses.
 *
 * A connection is a stranger until {@link trust} is called for it. When there are too many, the oldest stranger is closed; where there is
 * none, the authenticated connection that has been idle for longest; where all are in use, the new one. So strangers, however many and
 * however slow, cannot shut anybody out.
 */
export class ConnectionGuard {
  readonly #limits: ConnectionLimits;
  /** Oldest first. */
  readonly #strangers = new Map<Socket, Known>();
  /** The one that became idle first is first. */
  readonly #trusted = new Map<Socket, Known>();
  readonly #onAcceptError: (error: Error) => void;
  #reported = -Infinity;
  #reaper: NodeJS.Timeout | undefined;

  /** @param onAcceptError - gets an error of accepting, such as EMFILE, at most once a minute; the server keeps running */
  constructor(server: Server, limits: ConnectionLimits, onAcceptError: (error: Error) => void) {
    this.#limits = limits;
    this.#onAcceptError = onAcceptError;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#track(request.socket, response));
    // Without a listener, a process that has no file descriptors left would end.
    server.on('error', (error: Error) => {
      if (server.listening) this.#report(error);
    });
    server.on('clientError', refuseFaulty);
    server.on('close', () => clearInterval(this.#reaper));
  }

  /** Marks the connection of an authenticated request. */
  trust(socket: Socket): void {
    const known = this.#strangers.get(socket);
    if (known === undefined) return;
    this.#strangers.delete(socket);
    this.#trusted.set(socket, known);
  }

  /** Marks a connection whose request was refused, such as one with a token that was revoked. */
  distrust(socket: Socket): void {
    const known = this.#trusted.get(socket);
    if (known === undefined) return;
    this.#trusted.delete(socket);
    this.#strangers.set(socket, { ...known, since: performance.now() });
  }

  #accept(socket: Socket): void {
    const now = performance.now();
    if (!this.#makeRoom(now)) {
      socket.destroy();
      return;
    }
    this.#strangers.set(socket, { socket, since: now, requests: 0 });
    socket.once('close', () => {
      this.#strangers.delete(socket);
      this.#trusted.delete(socket);
    });
    const { strangerMilliseconds } = this.#limits;
    this.#reaper ??= setInterval(() => this.#reap(), Math.min(1_000, strangerMilliseconds)).unref();
  }

  #makeRoom(now: number): boolean {
    const { connections } = this.#limits;
    const open = this.#strangers.size + this.#trusted.size;
    if (open < connections) return true;
    const [oldest] = this.#strangers.values();
    if (oldest !== undefined) {
      const isYoung = now - oldest.since < GRACE_MILLISECONDS && open < connections * BURST_FACTOR;
      if (!isYoung) this.#close(oldest);
      return true;
    }
    for (const known of this.#trusted.values()) {
      if (known.requests > 0) continue;
      this.#close(known);
      return true;
    }
    return false;
  }

  #track(socket: Socket, response: ServerResponse): void {
    const known = this.#trusted.get(socket) ?? this.#strangers.get(socket);
    if (known === undefined) return;
    known.requests += 1;
    response.once('close', () => {
      const current = this.#trusted.get(socket) ?? this.#strangers.get(socket);
      if (current === undefined) return;
      current.requests -= 1;
      if (!this.#trusted.delete(socket)) return;
      this.#trusted.set(socket, current);
    });
  }

  #reap(): void {
    const limit = performance.now() - this.#limits.strangerMilliseconds;
    // A connection that was trusted once is behind younger ones, so that all are looked at.
    for (const known of [...this.#strangers.values()]) if (known.since <= limit) this.#close(known);
  }

  #close({ socket }: Known): void {
    this.#strangers.delete(socket);
    this.#trusted.delete(socket);
    socket.destroy();
  }

  #report(error: Error): void {
    const now = performance.now();
    if (now - this.#reported < REPORT_MILLISECONDS) return;
    this.#reported = now;
    this.#onAcceptError(error);
  }
}
