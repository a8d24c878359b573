import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A server behind a door: connections pass, or all of them end and new ones are refused, as while the server restarts. */
export interface CuttableProxy extends AsyncDisposable {
  readonly port: number;
  readonly isCut: boolean;
  /** Ends what is open and refuses what comes. */
  cut(): void;
  mend(): void;
}

/** Starts one before a port of this machine. */
export async function startCuttableProxy(port: number): Promise<CuttableProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((incoming) => {
    if (isCut) return void incoming.destroy();
    const onward = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, onward],
      [onward, incoming],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get isCut() {
      return isCut;
    },
    cut() {
      isCut = true;
      end();
    },
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      end();
      server.close();
      await once(server, 'close');
    },
  };
}
