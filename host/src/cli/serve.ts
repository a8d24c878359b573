import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionInputSchema } from '../common/connection.ts';
import type { ConnectionInput } from '../common/connection.ts';
import { HostError } from '../common/errors.ts';
import { CommandSocket } from '../runtime/home/commandSocket.ts';
import type { Home } from '../runtime/home/home.ts';
import type { Logger } from '../runtime/logger.ts';
import { BrowserCarrier } from '../web/browserCarrier.ts';
import { commandRunner } from './commands/index.ts';
import type { StartRuntime } from './hostServices.ts';
import { takeHomeOrFindHost } from './takeHome.ts';

export interface ServeOptions {
  readonly home: Home;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  readonly startRuntime: StartRuntime;
  /** The built window. */
  readonly rendererFolder: string;
  readonly port: number | undefined;
  readonly mcpPort: number | undefined;
  /** A file with the input of a connection to offer (see `offerSample`). */
  readonly sampleConnection: string | undefined;
}

/** What a host says when everything it serves can be reached. */
export interface Ready {
  readonly ready: true;
  /** Opens the window, once. */
  readonly ui: string;
  readonly mcp: string;
  readonly home: string;
}

/**
 * A host without a screen of its own: owns the home and serves the window to a browser, MCP to clients, and commands, until it is told to stop.
 *
 * @throws HostError `HOME_IN_USE` when another host runs
 */
export async function serve(options: ServeOptions, signal: AbortSignal, onReady: (ready: Ready) => void): Promise<void> {
  const { home, version, env, logger } = options;
  await using stack = new AsyncDisposableStack();
  // A command that runs the runtime itself is waited for; another host is not.
  const found = await takeHomeOrFindHost(home, { signal, accepts: (lifetime) => lifetime === 'host' });
  if ('host' in found) throw new HostError('HOME_IN_USE', `A host already runs in ${home.folder}.`);
  const lock = stack.use(found.lock);
  const runtime = stack.use(await options.startRuntime({ home, env, logger }));
  signal.throwIfAborted();
  if (options.sampleConnection !== undefined) await runtime.offerSample(await readConnectionFile(options.sampleConnection));
  const { handler } = runtime;
  const carrier = stack.use(
    await BrowserCarrier.start({ handler, rendererFolder: options.rendererFolder, logger, port: options.port ?? 0 }),
  );
  const mcp = await runtime.startMcp(options.mcpPort);
  const run = commandRunner({ ...runtime.services, lifetime: 'host', newWindowUrl: () => carrier.newUrl('tenMinutes') });
  stack.use(await CommandSocket.open(lock, { lifetime: 'host', version, logger, run }));
  onReady({ ready: true, ui: carrier.newUrl('untilUsed'), mcp, home: home.folder });
  if (!signal.aborted) await once(signal, 'abort');
}

async function readConnectionFile(file: string): Promise<ConnectionInput> {
  try {
    return connectionInputSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new HostError('INVALID_REQUEST', `${file} holds no connection.`, { cause });
  }
}

/** Where the build puts the window. */
export function rendererFolderOf(hostFolder: string): string {
  return join(hostFolder, 'dist', 'renderer');
}
