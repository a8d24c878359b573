import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Fixture } from './fixture.ts';
import { openConnection, openTable } from './openTable.ts';

export interface SlowServer {
  readonly port: number;
  /** The paths of the updates that were sent to it, in order. */
  readonly updates: readonly string[];
  /** Lets pass what it holds, and all that comes. */
  open(): void;
}

/** The sample server behind a door that lets so many updates through, and holds the others until it is opened. */
async function slowServer(port: number, letsThrough: number): Promise<SlowServer> {
  const opened = Promise.withResolvers<void>();
  const updates: string[] = [];
  const server = createServer((incoming, answer) => {
    const { method = 'GET', url = '/', headers } = incoming;
    if (method === 'PATCH') updates.push(url);
    const pass = (): void => {
      const onward = request({ host: '127.0.0.1', port, method, path: url, headers });
      onward.on('response', (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      incoming.pipe(onward);
    };
    if (method === 'PATCH' && updates.length > letsThrough) void opened.promise.then(pass);
    else pass();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    opened.resolve();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, updates, open: () => opened.resolve() };
}

/** Opens the products over a server that holds updates after the first ones. */
export async function openSlowly(
  { application, page }: Pick<Fixture, 'application' | 'page'>,
  letsThrough: number,
  name: string,
): Promise<SlowServer> {
  const slow = await slowServer(application.sandbox.port, letsThrough);
  await application.command(
    ...['connections', 'add', '--driver', 'search', '--name', name, '--api-key-env', 'E2E_API_KEY'],
    ...['--set', 'host=127.0.0.1', '--set', `port=${slow.port}`, '--set', 'sslMode=disabled'],
    // A held update must not be given up, however long a busy machine needs for the test.
    ...['--set', 'timeoutSeconds=300'],
  );
  await openConnection(page, name);
  await openTable(page, 'products');
  return slow;
}
