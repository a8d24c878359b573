import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CATALOGUE_PATH } from '@tabularium/sdk/package';
import { z } from 'zod';

/** A running npm registry, and the token that may publish to it. */
export interface VerdaccioServer {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

const USER = 'publisher';
const tokenSchema = z.object({ token: z.string().min(1) });

/** verdaccio's types are of another major version than its code; what is used of it is this. */
const verdaccioSchema = z.object({
  runServer: z.custom<(config: object) => Promise<Server>>((value) => typeof value === 'function'),
});

/** One user, made at each start with a password that isn't stored. With `max_users: 1` other users can't register, so they can't publish. */
async function createToken(url: string, signal: AbortSignal | undefined): Promise<string> {
  const response = await fetch(new URL(`-/user/org.couchdb.user:${USER}`, url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: USER, password: randomBytes(24).toString('base64url') }),
    signal: signal ?? null,
  });
  if (!response.ok) throw new Error(`The registry gave its publisher no token (status ${response.status}).`);
  return tokenSchema.parse(await response.json()).token;
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Answers for the signed catalogue in front of verdaccio, which would take the paths for packages. */
function serveCatalogue(server: Server, file: (name: string) => string | undefined): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://registry');
    if (!pathname.startsWith(`/${CATALOGUE_PATH}`)) {
      for (const listener of others) listener.call(server, request, response);
      return;
    }
    const text = file(pathname.slice(CATALOGUE_PATH.length + 1));
    if (text === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache' }).end(text);
  });
}

/**
 * Starts verdaccio in this process: loopback only, no uplinks, no web pages, quiet.
 *
 * @param options.port - 0 for a free one
 */
export async function startVerdaccio(options: {
  readonly stateFolder: string;
  readonly port: number;
  readonly signal?: AbortSignal | undefined;
  /** The text of a metadata file of the signed catalogue by its name; undefined: there is none. */
  readonly catalogueFile: (name: string) => string | undefined;
}): Promise<VerdaccioServer> {
  const { stateFolder } = options;
  const htpasswd = join(stateFolder, 'htpasswd');
  await mkdir(join(stateFolder, 'storage'), { recursive: true, mode: 0o700 });
  await rm(htpasswd, { force: true });
  const verdaccio = verdaccioSchema.parse(await import('verdaccio'));
  const server = await verdaccio.runServer({
    storage: join(stateFolder, 'storage'),
    self_path: stateFolder,
    configPath: join(stateFolder, 'config.yaml'),
    web: { enable: false },
    uplinks: {},
    // One round: the password is 192 random bits that live as long as the process.
    auth: { htpasswd: { file: htpasswd, max_users: 1, algorithm: 'bcrypt', rounds: 1 } },
    packages: { '**': { access: '$all', publish: USER, unpublish: USER } },
    log: { type: 'stdout', format: 'json', level: 'fatal' },
    // The largest platform package, in base64.
    max_body_size: '192mb',
    publish: { check_owners: false },
    server: { keepAliveTimeout: 5 },
  });
  serveCatalogue(server, options.catalogueFile);
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
    await rm(htpasswd, { force: true });
  };
  try {
    const url = `http://127.0.0.1:${await listen(server, options.port)}/`;
    return { url, token: await createToken(url, options.signal), close };
  } catch (error) {
    if (server.listening) await close();
    throw error;
  }
}
