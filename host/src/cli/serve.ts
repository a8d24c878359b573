import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { HostError } from '../common/errors.ts';
import { connectToHost } from '../runtime/ownerSocket/connectToHost.ts';
import type { ConnectedHost } from '../runtime/ownerSocket/connectToHost.ts';
import { OwnerSocket } from '../runtime/ownerSocket/ownerSocket.ts';
import { readEndpoint } from '../runtime/ownerSocket/endpoint.ts';
import type { Home } from '../runtime/storage/home.ts';
import type { Logger } from '../runtime/storage/logger.ts';
import { BrowserTransport } from '../web/browserTransport.ts';
import { shownWindowSchema } from '../common/hostWindow.ts';
import type { HostHealth } from '../common/hostHealth.ts';
import type { ReadyHost } from '../common/hostWindow.ts';
import { ask, ownerApi } from './ownerApi.ts';
import type { StartRuntime } from './runningRuntime.ts';
import { readSampleFile } from './readSampleFile.ts';
import { takeHomeOrFindHost } from './takeHome.ts';

/** How often a start by hand looks whether the host that it shows still runs. */
const LOOK_MILLISECONDS = 2_000;

export interface HostServeOptions {
  readonly home: Home;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  readonly startRuntime: StartRuntime;
  /** The built window. */
  readonly rendererFolder: string;
  /** The built documentation. */
  readonly documentationFolder?: string;
  readonly port: number | undefined;
  readonly mcpPort: number | undefined;
  /** A file with the input of a connection to offer (see `offerSample`). */
  readonly sampleConnection: string | undefined;
  /** Started by an address of our scheme: no person has asked for a window yet. */
  readonly hidden?: boolean;
  /** Registers this host with the platform for the addresses of our scheme. */
  readonly registerUrl?: ((home: Home) => Promise<void>) | undefined;
}

/**
 * A host without a screen of its own: owns the home and serves the window to a browser, MCP to clients, and commands, until it is stopped.
 *
 * @throws HostError `HOME_IN_USE` when another host runs
 */
export async function serve(options: HostServeOptions, signal: AbortSignal, onReady: (ready: ReadyHost) => void): Promise<void> {
  const { home, version, env, logger } = options;
  await using stack = new AsyncDisposableStack();
  // A command that runs the runtime itself is waited for; another host is not.
  const found = await takeHomeOrFindHost(home, { signal, accepts: (lifetime) => lifetime === 'host' });
  if ('host' in found) return await useRunningHost(found.host, options, signal, onReady);
  const lock = stack.use(found.lock);
  const runtime = stack.use(await options.startRuntime({ home, env, logger }));
  signal.throwIfAborted();
  if (options.sampleConnection !== undefined)
    for (const connection of await readSampleFile(options.sampleConnection)) await runtime.offerSample(connection);
  const { handler } = runtime;
  let isReady = false;
  const health = (): HostHealth => ({ status: signal.aborted ? 'stopping' : isReady ? 'ready' : 'starting' });
  const transport = stack.use(
    await BrowserTransport.start({
      ...{ handler, rendererFolder: options.rendererFolder, documentationFolder: options.documentationFolder },
      ...{ logger, port: options.port, health, metrics: runtime.metrics },
      sessionFile: join(home.folder, 'window-sessions.json'),
    }),
  );
  const mcp = (await runtime.startMcp(options.mcpPort)) ?? null;
  let hidden = options.hidden === true;
  const owner = runtime.ownerHandler({
    lifetime: 'host',
    health,
    newWindowUrl: () => {
      hidden = false;
      return transport.newUrl('tenMinutes');
    },
    ensureMcp: async () => void (await runtime.startMcp(options.mcpPort)),
    showHidden: () => {
      if (!hidden) return undefined;
      hidden = false;
      return { ui: transport.newUrl('untilUsed'), mcp, home: home.folder };
    },
  });
  stack.use(await OwnerSocket.open(lock, { lifetime: 'host', version, logger, handler: owner }));
  isReady = true;
  logger.info('the host is ready', { fields: { version, process: process.pid, window: transport.origin, mcp: mcp ?? 'off' } });
  onReady({ ready: true, ...(hidden ? { hidden } : {}), ui: transport.newUrl('untilUsed'), mcp, home: home.folder });
  options.registerUrl?.(home).catch((error: unknown) => logger.error('the address scheme could not be registered', error));
  if (!signal.aborted) await once(signal, 'abort');
  logger.info('the host is stopping');
}

/**
 * The second start, while a host runs. An address of our scheme asks it for its MCP server. A start by hand gets the window of a
 * hidden host, which is hidden no more, and stays for as long as that host runs.
 *
 * @throws HostError `HOME_IN_USE` where the host shows its window to somebody already
 */
async function useRunningHost(
  host: ConnectedHost,
  { home, hidden }: HostServeOptions,
  signal: AbortSignal,
  onReady: (ready: ReadyHost) => void,
): Promise<void> {
  const api = ownerApi(host.handler);
  if (hidden === true) {
    await ask(api, z.unknown(), () => api.owner.ensureMcp.mutate(undefined, { signal }), { signal });
    return;
  }
  const shown = await ask(api, shownWindowSchema.nullable(), () => api.owner.showHidden.mutate(undefined, { signal }), {
    signal,
  });
  if (shown === null) {
    const pid = (await readEndpoint(home))?.pid;
    const process = pid === undefined ? '' : ` (process ${pid})`;
    throw new HostError('HOME_IN_USE', `A host already runs in ${home.folder}${process}.`);
  }
  onReady({ ready: true, attached: true, ...shown });
  for (;;) {
    await delay(LOOK_MILLISECONDS, undefined, { signal });
    const endpoint = await readEndpoint(home);
    if (endpoint === undefined || (await connectToHost(endpoint, signal)) === undefined) return;
  }
}

/** Where the build puts the window. */
export function rendererFolderOf(hostFolder: string): string {
  return join(hostFolder, 'dist', 'renderer');
}

/** Where the build puts the documentation. */
export function documentationFolderOf(hostFolder: string): string {
  return join(hostFolder, 'dist', 'documentation');
}
