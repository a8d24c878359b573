import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The administrator of the server. */
export const ADMINISTRATOR = { user: 'admin', password: 'correct horse: “battery”' } as const;

const START_MILLISECONDS = 30_000;
const START_ATTEMPTS = 3;

/** A real server with authentication on, in a folder of its own. */
export interface Influxd {
  readonly port: number;
  readonly origin: string;
  /** Runs a statement as the administrator. */
  query(statement: string): Promise<string>;
  /** Writes points in line protocol, with times in nanoseconds. */
  write(database: string, lines: readonly string[]): Promise<void>;
  /** Ends the process and removes the folder. */
  stop(): Promise<void>;
}

/** The header by which the host signs in. */
export function authorization({ user, password }: { readonly user: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function configuration(folder: string, port: number, backupPort: number): string {
  return `
reporting-disabled = true
bind-address = "127.0.0.1:${backupPort}"
[meta]
dir = "${folder}/meta"
logging-enabled = false
[data]
dir = "${folder}/data"
wal-dir = "${folder}/wal"
query-log-enabled = false
[http]
bind-address = "127.0.0.1:${port}"
auth-enabled = true
log-enabled = false
[monitor]
store-enabled = false
[retention]
enabled = false
[continuous_queries]
enabled = false
`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function isAnswering(origin: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + START_MILLISECONDS;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${origin}/ping`).catch(() => undefined);
    if (answer?.status === 204) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
}

/**
 * Starts a server of InfluxDB 1.x.
 *
 * @param program - the path of `influxd`, or its name
 */
export async function startInfluxd(program = 'influxd'): Promise<Influxd> {
  const folder = await mkdtemp(join(tmpdir(), 'influxd-'));
  let output = '';
  // Another program may take a port between the search and the start.
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const file = join(folder, 'influxdb.conf');
    await writeFile(file, configuration(folder, port, await freePort()));
    const child = spawn(program, ['-config', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString('utf8')));
    const failure = await once(child, 'spawn').then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure !== undefined) {
      await rm(folder, { recursive: true, force: true });
      throw new Error(`${program} can’t be started. Install InfluxDB 1.x, or name its program.`, { cause: failure });
    }
    if (await isAnswering(origin, child)) return started(child, folder, origin, port);
    await end(child);
  }
  await rm(folder, { recursive: true, force: true });
  throw new Error(`${program} doesn’t answer.\n${output.slice(-4_000)}`);
}

async function started(child: ChildProcess, folder: string, origin: string, port: number): Promise<Influxd> {
  const send = async (path: string, body: string | URLSearchParams): Promise<string> => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { authorization: authorization(ADMINISTRATOR) },
      body,
    });
    const text = await response.text();
    if (!response.ok || text.includes('"error"')) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  const query = (statement: string): Promise<string> => send('/query', new URLSearchParams({ q: statement }));
  await query(`CREATE USER ${ADMINISTRATOR.user} WITH PASSWORD '${ADMINISTRATOR.password}' WITH ALL PRIVILEGES`);
  return {
    port,
    origin,
    query,
    write: async (database, lines) => {
      await send(`/write?precision=ns&db=${encodeURIComponent(database)}`, lines.join('\n'));
    },
    stop: async () => {
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
