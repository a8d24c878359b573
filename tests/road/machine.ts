import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { startRegistry } from '@tabularium/registry';
import { z } from 'zod';
import { ROUTER_PATH } from '../../host/src/common/api.ts';
import type { FetchHandler } from '../../host/src/common/fetchHandler.ts';
import type { AppRouter } from '../../host/src/runtime/api/router.ts';
import { Runtime } from '../../host/src/runtime/runtime.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';

export const KEY = 'road-test-key';

/** A folder for homes, and a registry that has the signed driver. */
export interface RoadMachine extends AsyncDisposable {
  readonly folder: string;
  readonly home: string;
  /** The environment of a host's process. */
  readonly env: NodeJS.ProcessEnv;
}

/** Builds what is stale and starts a registry. */
export async function startMachine(): Promise<RoadMachine> {
  await buildStale({
    root,
    workFolder,
    targets: allTargets(root).filter(({ name, group }) => group === 'drivers' || name === 'driver-process'),
    log: () => undefined,
  });
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-road-'));
  const registry = await startRegistry({ stateFolder: join(folder, 'registry') });
  await registry.publish(join(root, 'drivers/search'));
  return {
    folder,
    home: join(folder, 'home'),
    env: { ROAD_KEY: KEY, TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath },
    [Symbol.asyncDispose]: async () => {
      await registry.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A host in this process. */
export async function startHost({ home, env }: Pick<RoadMachine, 'home' | 'env'>): Promise<Runtime> {
  return Runtime.start({ home: await openHome(home), env, logger: silentLogger });
}

/** The window's way to a host. */
export function windowOf(handler: FetchHandler): ReturnType<typeof createTRPCClient<AppRouter>> {
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchStreamLink({
        url: `http://host${ROUTER_PATH}`,
        fetch: (input, init) => handler(new Request(input as string, init as RequestInit)),
      }),
    ],
  });
}

/** Saves a connection to the server at an address. */
export async function connectTo(runtime: Runtime, url: string): Promise<string> {
  const { id } = await runtime.connections.create({
    name: 'Road',
    driver: 'search',
    settings: { host: '127.0.0.1', port: Number(new URL(url).port), sslMode: 'disabled' },
    secrets: { apiKey: { kind: 'environment', variable: 'ROAD_KEY' } },
    access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
    color: 'teal',
  });
  return id;
}

const pidFileSchema = z.object({ processes: z.array(z.object({ pid: z.number() })) });

/** The driver processes that a home's host runs. */
export async function driverProcessesOf(home: string): Promise<readonly number[]> {
  const pidFile: unknown = JSON.parse(await readFile(join(home, 'cache', 'driver-processes.json'), 'utf8'));
  return pidFileSchema.parse(pidFile).processes.map(({ pid }) => pid);
}
