import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionGuard } from './connectionGuard.ts';

const LIMIT = 4;
const STRANGER_MILLISECONDS = 10_000;

class FakeSocket extends EventEmitter {
  destroyed = false;

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

/** A server without a network, so that each connection opens, is used and closes when the test says so. */
class FakeServer extends EventEmitter {
  listening = true;
  readonly sockets: FakeSocket[] = [];

  connect(): FakeSocket {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    this.emit('connection', socket);
    return socket;
  }

  /** A request begins on a connection; the returned function completes its answer. */
  begin(socket: FakeSocket): () => void {
    const response = new EventEmitter();
    this.emit('request', { socket }, response);
    return () => void response.emit('close');
  }

  get open(): number {
    return this.sockets.filter(({ destroyed }) => !destroyed).length;
  }
}

describe('a connection guard', () => {
  let server: FakeServer;
  let guard: ConnectionGuard;
  const trust = (socket: FakeSocket): void => guard.trust(socket as unknown as Socket);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    server = new FakeServer();
    guard = new ConnectionGuard(
      server as unknown as Server,
      { connections: LIMIT, strangerMilliseconds: STRANGER_MILLISECONDS },
      () => undefined,
    );
  });
  afterEach(() => {
    server.emit('close');
    vi.useRealTimers();
  });

  it('closes the oldest stranger for a new connection, so that there are never more than its number', () => {
    for (let count = 0; count < 20; count += 1) {
      server.connect();
      vi.advanceTimersByTime(100);
      expect(server.open).toBeLessThanOrEqual(LIMIT);
    }
    expect(server.sockets.map(({ destroyed }) => destroyed)).toEqual([
      ...Array.from({ length: 16 }, () => true),
      ...Array.from({ length: LIMIT }, () => false),
    ]);
  });

  it('closes no stranger that may have sent its request already, unless there are twice as many as its number', () => {
    const burst = Array.from({ length: 2 * LIMIT }, () => server.connect());
    expect(burst.every(({ destroyed }) => !destroyed)).toBe(true);
    server.connect();
    expect(burst.map(({ destroyed }) => destroyed).indexOf(true)).toBe(0);
    for (let count = 0; count < 1_000; count += 1) server.connect();
    expect(server.open).toBe(2 * LIMIT);
  });

  it('closes the authenticated connection that has been idle for longest where there is no stranger', () => {
    const [busy, first, second, third] = Array.from({ length: LIMIT }, () => server.connect()) as [
      FakeSocket,
      FakeSocket,
      FakeSocket,
      FakeSocket,
    ];
    const ends = [busy, first, second, third].map((socket) => {
      const end = server.begin(socket);
      trust(socket);
      return end;
    });
    for (const index of [2, 1, 3]) ends[index]?.();
    expect(server.connect().destroyed).toBe(false);
    expect([busy, first, second, third].map(({ destroyed }) => destroyed)).toEqual([false, false, true, false]);
  });

  it('refuses a new connection where all are authenticated and in use', () => {
    const used = Array.from({ length: LIMIT }, () => server.connect());
    for (const socket of used) {
      server.begin(socket);
      trust(socket);
    }
    expect(server.connect().destroyed).toBe(true);
    expect(used.every(({ destroyed }) => !destroyed)).toBe(true);
    // A place that becomes free is given away.
    used[0]?.destroy();
    expect(server.connect().destroyed).toBe(false);
  });

  it('closes a stranger after its time, and no authenticated connection', () => {
    const [stranger, known] = [server.connect(), server.connect()];
    server.begin(known)();
    trust(known);
    vi.advanceTimersByTime(STRANGER_MILLISECONDS - 1_000);
    expect(stranger.destroyed).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect([stranger.destroyed, known.destroyed]).toEqual([true, false]);
  });
});
