import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startRegistry } from '@tabularium/registry';
import { z } from 'zod';
import { Runtime } from '../../host/src/runtime/runtime.ts';
import type { RuntimeOptions } from '../../host/src/runtime/runtimeOptions.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { root } from '../../scripts/paths.ts';

export const API_KEY = 'bench-key';

/** The benches run against a sandbox in a process of its own, paced as a real server, and a registry with the signed driver. */
export interface Surroundings extends AsyncDisposable {
  readonly sandboxUrl: string;
  /** A runtime in a home that is empty; the caller ends it. */
  newRuntime(options?: Pick<RuntimeOptions, 'spareDriver'>, apiKey?: string): Promise<Runtime>;
  /** Saves a connection to the sandbox, or to what listens on another port of this machine. */
  connect(runtime: Runtime, options?: { readonly name?: string; readonly port?: number }): Promise<string>;
}

/** Starts them. */
export async function startSurroundings(options: { readonly products: number }): Promise<Surroundings> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const sandbox = spawn(
    process.execPath,
    [
      '--conditions=tabularium:source',
      join(root, 'tests/sandbox/src/main.ts'),
      '--products',
      String(options.products),
      '--pace',
      '--until-stdin-closes',
    ],
    { env: { ...process.env, SANDBOX_API_KEY: API_KEY }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  stack.defer(async () => {
    sandbox.kill('SIGTERM');
    if (sandbox.exitCode === null) await once(sandbox, 'exit');
  });
  const [line] = (await once(createInterface({ input: sandbox.stdout }), 'line')) as [string];
  const { url } = z.object({ ready: z.literal(true), url: z.url() }).parse(JSON.parse(line));
  const registry = await startRegistry({ stateFolder: join(folder, 'registry') });
  stack.defer(() => registry.close());
  await registry.publish(join(root, 'drivers/search'));
  let homes = 0;
  const owned = stack.move();
  return {
    sandboxUrl: url,
    newRuntime: async (options = {}, apiKey = API_KEY) =>
      Runtime.start({
        ...options,
        home: await openHome(join(folder, `home-${(homes += 1)}`)),
        env: { BENCH_KEY: apiKey, TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath },
        logger: silentLogger,
      }),
    connect: async (runtime, { name = 'Bench', port = Number(new URL(url).port) } = {}) => {
      const { id } = await runtime.connections.create({
        name,
        driver: 'search',
        settings: { host: '127.0.0.1', port, sslMode: 'disabled' },
        secrets: { apiKey: { kind: 'environment', variable: 'BENCH_KEY' } },
        access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
        color: 'gray',
      });
      return id;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
