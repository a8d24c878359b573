import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { Runtime } from '../../host/src/runtime/runtime.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { root } from '../../scripts/paths.ts';

/** A built host with the MCP server, and a token for it. */
export interface BenchHost extends AsyncDisposable {
  readonly url: string;
  readonly home: string;
  readonly token: string;
}

/** A host in a process of its own, as it is built, in an empty home. */
export async function startBenchHost(): Promise<BenchHost> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-bench-bridge-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const home = join(folder, 'home');
  const token = await prepare(home);
  const env = { ...process.env, TABULARIUM_HOME: home, TABULARIUM_REGISTER_URL: 'never' };
  const program = join(root, 'host/dist/main.js');
  const child = spawn(process.execPath, [program, 'serve', '--mcp-port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  stack.defer(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { mcp } = z.object({ mcp: z.url() }).parse(JSON.parse(line));
  const owned = stack.move();
  return { url: mcp, home, token, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Lifts the limit of requests a minute, which a bench is beyond, and makes a token for clients without a bridge. */
async function prepare(folder: string): Promise<string> {
  const runtime = await Runtime.start({ home: await openHome(folder), env: {}, logger: silentLogger });
  try {
    await runtime.integrations.change({ ...runtime.integrations.settings(), requestsPerMinute: 1_000_000 });
    return runtime.tokens.mint({ name: 'Bench', scope: 'readOnly' }).text;
  } finally {
    await runtime[Symbol.asyncDispose]();
  }
}
