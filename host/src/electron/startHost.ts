import { commandRunner } from '../cli/commands/index.ts';
import { readConnectionFile } from '../cli/readConnectionFile.ts';
import { rendererFolderOf } from '../cli/serve.ts';
import { startRuntime } from '../cli/startRuntime.ts';
import { CommandSocket } from '../runtime/home/commandSocket.ts';
import { openHome, resolveHome } from '../runtime/home/home.ts';
import { acquireHomeLock } from '../runtime/home/homeLock.ts';
import { hostPackage } from '../runtime/hostPackage.ts';
import { FileLogger } from '../runtime/logger.ts';
import { pinnedNode } from '../runtime/pinnedNode.ts';
import type { RunningHost } from './carrier.ts';
import { windowHandler } from './windowHandler.ts';

/**
 * A host as `serve` has it, whose window is this process's own: owns the home, answers commands, serves MCP to clients.
 *
 * @throws HostError `HOME_IN_USE` when another host runs
 */
export async function startHost(env: NodeJS.ProcessEnv): Promise<RunningHost> {
  const { folder, version } = hostPackage();
  await using starting = new AsyncDisposableStack();
  const home = await openHome(resolveHome(env, process.platform));
  const logger = new FileLogger(home.logs);
  starting.defer(() => logger.flush());
  const lock = starting.use(await acquireHomeLock(home));
  const runtime = starting.use(await startRuntime({ home, env, logger, node: pinnedNode() }));
  const sample = env['TABULARIUM_SAMPLE_CONNECTION'];
  if (sample !== undefined && sample !== '') await runtime.offerSample(await readConnectionFile(sample));
  const handler = await windowHandler(runtime.handler, rendererFolderOf(folder));
  const mcp = (await runtime.startMcp(undefined)) ?? null;
  const run = commandRunner({ ...runtime.services, lifetime: 'host', newWindowUrl: () => undefined });
  starting.use(await CommandSocket.open(lock, { lifetime: 'host', version, logger, run }));
  // The line that `serve` prints too: who started this waits for it.
  process.stdout.write(`${JSON.stringify({ ready: true, ui: null, mcp, home: home.folder })}\n`);
  const running = starting.move();
  const ensureMcp = async (): Promise<void> => void (await runtime.startMcp(undefined));
  return { handler, ensureMcp, close: () => running.disposeAsync() };
}
