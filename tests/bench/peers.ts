import type { Client } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { startBenchHost } from './benchHost.ts';
import { median, timed } from './budget.ts';
import { startPostgresBench } from './postgresBench.ts';
import { coldStart, residentKilobytes, withStdio } from './stdioProgram.ts';
import type { StdioProgram } from './stdioProgram.ts';

const ROUNDS = 5;
const WARM_UP = 20;
const CALLS = 200;
const ROWS = 50;
const STATEMENT = `SELECT * FROM products ORDER BY id LIMIT ${ROWS}`;
const BRIDGE = join(root, 'host/bin/tabularium-mcp.mjs');

/** One comparison: other programs that do the same work in turns with Tabularium. */
export interface PeerTable {
  readonly title: string;
  readonly explanation: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Measures programs that this project doesn't install.
 *
 * @param folder - where `npm install supergateway \@bytebase/dbhub \@toolbox-sdk/server` was run
 */
export async function peerTables(folder: string): Promise<readonly PeerTable[]> {
  return [await bridges(folder), await databaseServers(folder)];
}

/** Bridges from standard input to the same HTTP server. */
async function bridges(folder: string): Promise<PeerTable> {
  await using host = await startBenchHost();
  const { url, home, token } = host;
  const call = (client: Client): Promise<unknown> => client.callTool({ name: 'list_connections' });
  const measured = await inTurns([
    { name: 'Tabularium', program: process.execPath, args: [BRIDGE], env: { TABULARIUM_HOME: home }, call },
    {
      name: `mcp-remote ${await versionOf(root, 'mcp-remote')}`,
      program: process.execPath,
      args: [
        ...[join(root, 'node_modules/mcp-remote/dist/proxy.js'), url, '--transport', 'http-only', '--allow-http'],
        ...['--header', `Authorization: Bearer ${token}`],
      ],
      env: { MCP_REMOTE_CONFIG_DIR: join(home, 'cache', 'mcp-remote') },
      call,
    },
    {
      name: `supergateway ${await versionOf(folder, 'supergateway')}`,
      program: process.execPath,
      args: [
        ...[join(folder, 'node_modules/supergateway/dist/index.js'), '--streamableHttp', url, '--logLevel', 'none'],
        ...['--header', `Authorization: Bearer ${token}`],
      ],
      env: {},
      call,
    },
  ]);
  return {
    title: 'Bridges to one MCP server over HTTP',
    explanation:
      'From the start of the process to the answer to `initialize`, the median of a call of `list_connections`, and memory after it. Only the bridge of Tabularium has the server prove that it is the one of this data directory.',
    columns: ['bridge', 'cold start (ms)', 'call (ms)', 'memory (MB)'],
    rows: measured.map(({ name, cold, perCall, resident }) => [name, cold.toFixed(0), perCall.toFixed(2), megabytes(resident)]),
  };
}

/** Database servers for MCP over one PostgreSQL: the same rows, in the same order. */
async function databaseServers(folder: string): Promise<PeerTable> {
  await using bench = await startPostgresBench();
  const { runtime, bare, home, server } = bench;
  await bare.query(PRODUCTS);
  await runtime.integrations.change({ ...runtime.integrations.settings(), requestsPerMinute: 1_000_000 });
  if ((await runtime.integrations.start(0)) === undefined) throw new Error('The MCP server did not start.');
  const { port, user, password, database } = server;
  const measured = await inTurns([
    {
      name: 'Tabularium, `execute_query`',
      program: process.execPath,
      args: [BRIDGE],
      env: { TABULARIUM_HOME: home },
      call: (client) =>
        client.callTool({ name: 'execute_query', arguments: { connection: 'Bench', statement: STATEMENT, maxRows: ROWS } }),
    },
    {
      name: 'Tabularium, `browse_table`',
      program: process.execPath,
      args: [BRIDGE],
      env: { TABULARIUM_HOME: home },
      call: (client) =>
        client.callTool({ name: 'browse_table', arguments: { connection: 'Bench', table: 'products', maxRows: ROWS } }),
    },
    {
      name: `DbHub ${await versionOf(folder, '@bytebase/dbhub')}`,
      program: process.execPath,
      args: [
        ...[join(folder, 'node_modules/@bytebase/dbhub/dist/index.js'), '--transport', 'stdio'],
        ...['--dsn', `postgres://${user}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`],
      ],
      env: {},
      call: (client) => client.callTool({ name: 'execute_sql', arguments: { sql: STATEMENT } }),
    },
    {
      name: `MCP Toolbox ${await versionOf(folder, '@toolbox-sdk/server')}`,
      program: join(folder, 'node_modules/@toolbox-sdk/server-linux-x64/bin/toolbox'),
      args: ['--prebuilt', 'postgres', '--stdio', '--log-level', 'ERROR', '--disable-version-check'],
      env: {
        ...{ POSTGRES_HOST: '127.0.0.1', POSTGRES_PORT: String(port), POSTGRES_DATABASE: database },
        ...{ POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_QUERY_PARAMS: '{sslmode: disable}' },
      },
      call: (client) => client.callTool({ name: 'execute_sql', arguments: { sql: STATEMENT } }),
    },
  ]);
  return {
    title: 'Database servers for MCP, over one PostgreSQL',
    explanation: `A call reads ${ROWS} rows of a table of 7 columns. Tokens are those of o200k_base: of the list of tools as a client gets it, and of the result of the call. Tabularium runs in two processes besides the measured bridge, and runs what it calls a read in a transaction that can't write.`,
    columns: ['server', 'cold start (ms)', 'call (ms)', 'memory (MB)', 'tokens of the tools', 'tokens of the rows'],
    rows: measured.map(({ name, cold, perCall, resident, toolTokens, resultTokens }) => [
      ...[name, cold.toFixed(0), perCall.toFixed(2), megabytes(resident)],
      ...[toolTokens.toLocaleString('en'), resultTokens.toLocaleString('en')],
    ]),
  };
}

interface Peer extends StdioProgram {
  /** One call that is measured. */
  readonly call: (client: Client) => Promise<unknown>;
}

interface Measured {
  readonly name: string;
  /** Medians in milliseconds. */
  readonly cold: number;
  readonly perCall: number;
  /** Of the process that the client started, in kB. */
  readonly resident: number;
  readonly toolTokens: number;
  readonly resultTokens: number;
}

/** One after the other in each round, so that a busy moment of the machine falls on all of them. */
async function inTurns(peers: readonly Peer[]): Promise<readonly Measured[]> {
  const times = new Map(
    peers.map((peer) => [peer, { cold: [] as number[], perCall: [] as number[], resident: 0, toolTokens: 0, resultTokens: 0 }]),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [peer, found] of times) {
      found.cold.push(await coldStart(peer));
      await withStdio(peer, async (client, pid) => {
        const result = await peer.call(client);
        if (isErrorResult(result))
          throw new Error(`${peer.name} answered with an error: ${JSON.stringify(result).slice(0, 500)}`);
        found.toolTokens = countTokens(JSON.stringify((await client.listTools()).tools));
        found.resultTokens = countTokens(JSON.stringify(result));
        for (let count = 0; count < WARM_UP; count += 1) await peer.call(client);
        const calls: number[] = [];
        for (let count = 0; count < CALLS; count += 1) calls.push(await timed(() => peer.call(client)));
        found.perCall.push(median(calls));
        found.resident = await residentKilobytes(pid);
      });
    }
  }
  return [...times].map(([{ name }, { cold, perCall, ...rest }]) => ({
    name,
    cold: median(cold),
    perCall: median(perCall),
    ...rest,
  }));
}

function isErrorResult(result: unknown): boolean {
  return z.looseObject({ isError: z.literal(true) }).safeParse(result).success;
}

const megabytes = (kilobytes: number): string => (kilobytes / 1_000).toFixed(0);

async function versionOf(folder: string, name: string): Promise<string> {
  const text = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

const PRODUCTS = `
CREATE TABLE products (id int PRIMARY KEY, name text, brand text, price numeric(10, 2), stock int, added timestamptz, tags text[]);
INSERT INTO products SELECT i, 'Product ' || i, 'Brand ' || i % 17, i * 1.25, i % 90, '2026-01-01'::timestamptz + i * interval '1 hour', ARRAY['sale', 'new']
FROM generate_series(1, 10000) i;
ANALYZE products`;
