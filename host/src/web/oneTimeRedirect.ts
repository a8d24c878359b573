import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Milliseconds that a browser has to come. */
const PATIENCE = 60_000;
const REQUEST_TIME = 5_000;
const MOST_SOCKETS = 8;
/** The kernel's tables of connections, and 127.0.0.1 in each: a program may use a socket of IPv6 for it. */
const TABLES = { '/proc/net/tcp': '0100007F', '/proc/net/tcp6': '0000000000000000FFFF00000100007F' } as const;

export interface OneTimeRedirectOptions {
  /** Whether the program at the other end of a connection is the user's own; default: as the kernel says. */
  readonly isOwn?: (socket: Socket) => Promise<boolean>;
  readonly patience?: number;
}

/**
 * Makes an address of this computer that leads to another one: once, and only a program of the same user. For programs that get an address as an argument, which every user of the
 * computer can read.
 *
 * @param address - the destination; without credentials of a user, of http or https
 * @returns an address that ends after a time
 */
export async function oneTimeRedirect(
  address: string,
  { isOwn = isOfOwnUser, patience = PATIENCE }: OneTimeRedirectOptions = {},
): Promise<string> {
  const path = `/${randomBytes(16).toString('hex')}`;
  const { href } = new URL(address);
  let origin = '';
  let isUsed = false;
  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const say = (status: number, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { ...HEADERS, ...headers }).end();
    };
    // A page of another name that resolves to this computer has its own name in "Host".
    if (`http://${request.headers.host ?? ''}` !== origin || request.url !== path || request.method !== 'GET') return say(404);
    if (!(await isOwn(request.socket))) return say(403);
    if (isUsed) return say(410);
    isUsed = true;
    say(303, { location: href });
    close();
  };
  const server = createServer(
    { headersTimeout: REQUEST_TIME, requestTimeout: REQUEST_TIME, connectionsCheckingInterval: 1_000 },
    (request, response) => void onRequest(request, response).catch(() => response.destroy()),
  );
  server.maxConnections = MOST_SOCKETS;
  const timer = setTimeout(() => close(), patience).unref();
  function close(): void {
    clearTimeout(timer);
    server.close();
    // The answer is still on its way.
    setTimeout(() => server.closeAllConnections(), 500).unref();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return `${origin}${path}`;
}

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

/** Linux lists the user of each connection. Where it can't be read, a program that has the address is trusted. */
async function isOfOwnUser({ remotePort = 0, localPort = 0 }: Socket): Promise<boolean> {
  if (process.getuid === undefined) return true;
  const own = String(process.getuid());
  let isReadable = false;
  for (const [file, loopback] of Object.entries(TABLES)) {
    const table = await readFile(file, 'latin1').catch(() => undefined);
    if (table === undefined) continue;
    isReadable = true;
    const [theirs, ours] = [remotePort, localPort].map(
      (port) => `${loopback}:${port.toString(16).toUpperCase().padStart(4, '0')}`,
    );
    for (const row of table.split('\n')) {
      const [, local, remote, , , , , user] = row.trim().split(/\s+/);
      if (local === theirs && remote === ours) return user === own;
    }
  }
  return !isReadable;
}
