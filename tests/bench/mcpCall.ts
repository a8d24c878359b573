import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { startBenchHost } from './benchHost.ts';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';

const WARM_UP = 300;
const ROUNDS = 1_000;
const TOOL = 'list_connections';

/** A trivial call of the built host over HTTP by one client that keeps its connection, against the same library answering the same bytes as a constant; in turns. */
export async function mcpCallBudgets(): Promise<readonly Budget[]> {
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await startBenchHost());
  const called = await connected(host.url, stack, { authorization: `Bearer ${host.token}` });
  const answer = await called.callTool({ name: TOOL });
  const constant = await connected(await startConstantServer(JSON.stringify(answer), stack), stack);
  const times: { called: number[]; constant: number[] } = { called: [], constant: [] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const one = await timed(() => constant.callTool({ name: TOOL }));
    const two = await timed(() => called.callTool({ name: TOOL }));
    if (round < WARM_UP) continue;
    times.constant.push(one);
    times.called.push(two);
  }
  const [constantTime, calledTime] = [median(times.constant), median(times.called)];
  process.stderr.write(`a trivial MCP call: constant ${constantTime.toFixed(2)} ms, host ${calledTime.toFixed(2)} ms\n`);
  const name = 'a trivial MCP call over HTTP, against the same library answering a constant';
  return [atMost(name, calledTime / constantTime, 1.5, 'ratio')];
}

async function connected(url: string, stack: AsyncDisposableStack, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  stack.defer(() => client.close());
  return client;
}

async function startConstantServer(answer: string, stack: AsyncDisposableStack): Promise<string> {
  const program = join(root, 'tests/bench/constantMcpServer.ts');
  const child = spawn(process.execPath, ['--conditions=tabularium:source', program, answer], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  stack.defer(async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { port } = z.object({ port: z.number() }).parse(JSON.parse(line));
  return `http://127.0.0.1:${port}/mcp`;
}
