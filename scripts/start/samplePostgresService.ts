import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { PostgresServer, postgresFolder } from '../postgres/postgresServer.ts';
import { SAMPLE_POSTGRES_USER } from './samplePostgres.ts';

// The sample database for PostgreSQL: a port that is there at once, and a server behind it that is started for the first connection. Who opens it never, waits for
// nothing and has no server running.

const PASSWORD_VARIABLE = 'SAMPLE_POSTGRES_PASSWORD';
const DATABASE = 'postgres';

const { values } = parseArgs({
  options: { folder: { type: 'string' }, 'until-stdin-closes': { type: 'boolean', default: false } },
});

const fail = (text: string): never => {
  process.stderr.write(`${text}\n`);
  process.exit(2);
};

const password = process.env[PASSWORD_VARIABLE] ?? fail(`Set ${PASSWORD_VARIABLE} to the password of the sample database.`);
const native = postgresFolder() ?? fail('The package of the server is not installed.');
const wanted = values.folder ?? fail('--folder is missing.');

// The server does not run as root, and another user does not reach a folder of root's.
const isRoot = process.getuid?.() === 0;
const folder = isRoot ? mkdtempSync(join(tmpdir(), 'tabularium-sample-')) : wanted;
if (!isRoot) mkdirSync(folder, { recursive: true, mode: 0o700 });

const server = new PostgresServer(folder, { user: SAMPLE_POSTGRES_USER, password, settings: ['max_connections = 30'] });

/** Fills the database, in one transaction: a start that is interrupted leaves none of it behind. */
async function fill(port: number): Promise<void> {
  const client = new Client({ host: '127.0.0.1', port, user: SAMPLE_POSTGRES_USER, password, database: DATABASE });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = 'shop'");
    if (rows.length > 0) return;
    await client.query(`BEGIN; ${readFileSync(join(import.meta.dirname, 'sampleBookshop.sql'), 'utf8')} COMMIT;`);
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}

async function start(): Promise<number> {
  server.prepare(native);
  await server.start().catch(async (error: unknown) => {
    if (!String(error).includes('postmaster.pid')) throw error;
    // Of an earlier start that was killed.
    server.endOther();
    await server.start();
  });
  await fill(server.port);
  return server.port;
}

let started: Promise<number> | undefined;
let isStarting = false;

/** The port of the server, which is started for the first one that asks. One that failed, or that somebody killed, is started again for the next. */
function serverPort(): Promise<number> {
  if (!isStarting && !server.isRunning) started = undefined;
  if (started !== undefined) return started;
  isStarting = true;
  started = start()
    .catch(async (error: unknown) => {
      await server.stop('immediate');
      throw error;
    })
    .finally(() => {
      isStarting = false;
    });
  return started;
}

async function serve(client: Socket): Promise<void> {
  client.on('error', () => client.destroy());
  try {
    const upstream = connect(await serverPort(), '127.0.0.1');
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    if (client.destroyed) upstream.destroy();
    client.pipe(upstream).pipe(client);
  } catch (error) {
    process.stderr.write(`The sample database was not started: ${error instanceof Error ? error.message : String(error)}\n`);
    client.destroy();
  }
}

const door = createServer((client) => void serve(client));
door.listen(0, '127.0.0.1', () => {
  const address = door.address();
  if (typeof address === 'object' && address !== null)
    process.stdout.write(`${JSON.stringify({ ready: true, port: address.port })}\n`);
});

let isEnding = false;
const end = (): void => {
  if (isEnding) return;
  isEnding = true;
  door.close();
  void (started ?? Promise.resolve(0))
    .catch(() => 0)
    .then(() => server.stop('fast'))
    .then(() => {
      if (isRoot) rmSync(folder, { recursive: true, force: true });
      process.exit(0);
    });
};
process.once('SIGTERM', end);
process.once('SIGINT', end);
if (values['until-stdin-closes']) {
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  process.stdin.resume();
}
