import { join } from 'node:path';
import { buildStale } from './build/buildStale.ts';
import { allTargets } from './build/targets.ts';
import { DevWindow } from './dev/devWindow.ts';
import { directLoopback } from './directLoopback.ts';
import { watchHostSources } from './dev/sourceWatch.ts';
import { root, workFolder } from './paths.ts';
import { onInterruption } from './start/interruption.ts';
import { openWindow } from '../host/src/web/openWindow.ts';
import { refuseSecondStart, startSampleServices } from './start/sampleServices.ts';
import type { Service } from './start/service.ts';
import { ServiceGroup } from './start/serviceGroup.ts';
import { OPTIONS_HELP, readStartArguments } from './start/startArguments.ts';
import type { StartArguments } from './start/startArguments.ts';

const usage = `Usage: npm run dev -- [--no-open] [--version VERSION]

Like npm start, from the sources: a change of the window shows at once, a change of the host or the sdk builds and restarts the host. The driver
registry and the sample server keep running.
Ctrl-C ends all of it.
${OPTIONS_HELP}`;

// For the registry and the servers that it starts as well.
Object.assign(process.env, directLoopback(process.env));

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const services = new ServiceGroup((exitCode) => void stopAll(exitCode));
let window: DevWindow | undefined;
let stopping = false;

async function stopAll(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  await window?.[Symbol.asyncDispose]();
  await services.stopAll();
  process.exit(exitCode);
}

/** Vite serves the window, and notices belong to packages. */
const targets = allTargets(root).filter(({ name }) => name !== 'renderer' && name !== 'host-notices');
const build = (): Promise<string[]> => buildStale({ root, workFolder, targets, log: print });

async function main({ open, version, port, mcpPort, local }: StartArguments): Promise<void> {
  await refuseSecondStart(local);
  await build();
  const dev = await DevWindow.start({ root, port });
  window = dev;
  const sample = await startSampleServices(services, { local, version });
  const serve = ['serve', '--sample-connection', sample.connections, '--until-stdin-closes'];
  const ports = mcpPort === undefined ? [] : ['--mcp-port', String(mcpPort)];
  const startHost = async (): Promise<Service> => {
    const { environment } = sample;
    const args = ['--enable-source-maps', '--disable-sigusr1', join(root, 'host/dist/main.js'), ...serve, ...ports];
    const host = await services.start('host', args, { environment });
    const { ui } = host.ready;
    if (typeof ui !== 'string') throw new Error('The host has no window for a browser.');
    await dev.connect(ui);
    return host;
  };

  let host: Service | undefined = await startHost();
  watchHostSources(root, async () => {
    try {
      const began = performance.now();
      if ((await build()).length === 0 && host !== undefined) return;
      if (host !== undefined) await services.stop(host);
      host = undefined;
      host = await startHost();
      print(`The host runs again (${((performance.now() - began) / 1000).toFixed(1)} s).`);
    } catch (error) {
      if (!stopping) print(`${messageOf(error)}\nThe next change tries again.`);
    }
  });

  const url = dev.newUrl();
  const { mcp, home } = host.ready;
  print('');
  print(`  Window   ${url}`);
  print(`  MCP      ${typeof mcp === 'string' ? mcp : 'switched off in the settings'}`);
  print(`  Home     ${String(home)}`);
  print('Ctrl-C ends all of it.');
  if (open && (await openWindow({ url, home: String(home), env: process.env })) === undefined)
    print('No browser could be opened: open the address of the window yourself.');
}

onInterruption(() => void stopAll(0));

try {
  const values = readStartArguments(process.argv.slice(2));
  if (values.help) print(usage);
  else await main(values);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  await stopAll(1);
}
