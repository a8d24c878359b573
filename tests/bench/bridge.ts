import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { join } from 'node:path';
import { buildBridgeExecutable } from '../../scripts/package/bridgeExecutable.ts';
import { platformOf } from '../../scripts/package/platforms.ts';
import { root } from '../../scripts/paths.ts';
import { startBenchHost } from './benchHost.ts';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';
import { coldStart, residentKilobytes, withStdio } from './stdioProgram.ts';
import type { StdioProgram } from './stdioProgram.ts';

const ROUNDS = 7;
const WARM_UP = 60;
const CALLS = 300;
/** Calls before memory is looked at, 32 of them at once, so that each has its buffers and its compiled code. */
const LOAD = 1_000;
const AT_ONCE = 32;

const BRIDGE = join(root, 'host/bin/tabularium-mcp.mjs');
const MCP_REMOTE = join(root, 'node_modules/mcp-remote/dist/proxy.js');

interface Measurements {
  readonly cold: number[];
  readonly perCall: number[];
  readonly resident: number[];
}

/** The bridge against the program that people use instead, and against no bridge at all, over the same server. */
export async function bridgeBudgets(): Promise<readonly Budget[]> {
  await using host = await startBenchHost();
  const { url, home, token } = host;
  const bridge: StdioProgram = { name: 'bridge', program: process.execPath, args: [BRIDGE], env: { TABULARIUM_HOME: home } };
  const packaged: StdioProgram = {
    name: 'packaged',
    program: await packagedBridge(join(home, '..')),
    args: [],
    env: { TABULARIUM_HOME: home },
  };
  const remote: StdioProgram = {
    name: 'mcp-remote',
    program: process.execPath,
    args: [MCP_REMOTE, url, '--transport', 'http-only', '--allow-http', '--header', `Authorization: Bearer ${token}`],
    env: { MCP_REMOTE_CONFIG_DIR: join(home, 'cache', 'mcp-remote') },
  };
  const measurements = new Map(
    [bridge, packaged, remote].map((way): [StdioProgram, Measurements] => [way, { cold: [], perCall: [], resident: [] }]),
  );
  const direct: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // One after the other in each round, so that a busy moment of the machine falls on all of them.
    for (const [way, { cold, perCall, resident }] of measurements) {
      cold.push(await coldStart(way));
      await withStdio(way, async (client, pid) => {
        perCall.push(await callTime(client));
        if (round === ROUNDS - 1) {
          await load(client);
          resident.push(await residentKilobytes(pid));
        }
      });
    }
    direct.push(await directCall(url, token));
  }
  const of = (way: StdioProgram, what: keyof Measurements): number => median(measurements.get(way)?.[what] ?? []);
  return [
    atMost('bridge: cold start with proof, against mcp-remote', of(bridge, 'cold') / of(remote, 'cold'), 0.2, 'ratio'),
    atMost('packaged bridge: cold start with proof, against mcp-remote', of(packaged, 'cold') / of(remote, 'cold'), 0.2, 'ratio'),
    atMost('bridge: p50 of a call, against mcp-remote', of(bridge, 'perCall') / of(remote, 'perCall'), 0.45, 'ratio'),
    atMost('bridge: memory after load, against mcp-remote', of(bridge, 'resident') / of(remote, 'resident'), 0.45, 'ratio'),
    atMost('bridge: p50 of a call, against direct HTTP', of(bridge, 'perCall') / median(direct), 1.4, 'ratio'),
  ];
}

/** The bridge as the packaged application carries it: an executable of its own, with its Node in it. */
async function packagedBridge(folder: string): Promise<string> {
  const platform = platformOf(`${process.platform}-${process.arch}`);
  const output = join(folder, `tabularium-mcp${platform.executableSuffix}`);
  await buildBridgeExecutable({ program: join(root, 'host/dist/bridge.cjs'), node: process.execPath, output, platform });
  return output;
}

async function directCall(url: string, token: string): Promise<number> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  try {
    return await callTime(client);
  } finally {
    await client.close();
  }
}

async function callTime(client: Client): Promise<number> {
  const call = (): Promise<unknown> => client.callTool({ name: 'list_connections' });
  for (let count = 0; count < WARM_UP; count += 1) await call();
  const times: number[] = [];
  for (let count = 0; count < CALLS; count += 1) times.push(await timed(call));
  return median(times);
}

async function load(client: Client): Promise<void> {
  for (let count = 0; count < LOAD; count += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => client.callTool({ name: 'list_connections' })));
  }
}
