import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale } from './build/buildStale.ts';
import { allTargets } from './build/targets.ts';
import { root, workFolder } from './paths.ts';
import { electronProgram } from './start/electron.ts';
import { openInBrowser } from './start/openWindow.ts';
import { SAMPLE_KEY_VARIABLE, writeSampleConnection } from './start/sample.ts';
import type { Service } from './start/service.ts';
import { startService } from './start/service.ts';

const usage = `Usage: npm start -- [--no-open] [--version VERSION]

Builds what is stale, starts the local driver registry, the sandbox search server with sample data, and the host, and opens the window.
Ctrl-C ends all of it.
  --no-open          open nothing
  --version VERSION  the version that the sandbox search server speaks as (26.0, 27.1, 28.0, 29.0)
  --port N           the window's port; any free one by default
  --mcp-port N       the preferred port of the MCP server`;

const { values } = parseArgs({
  options: {
    'no-open': { type: 'boolean', default: false },
    version: { type: 'string', default: '29.0' },
    port: { type: 'string' },
    'mcp-port': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const services: Service[] = [];
let stopping = false;

/** Ends everything, the last started first, so that nothing loses what it depends on. */
async function stopAll(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const service of services.toReversed()) await service.stop();
  process.exit(exitCode);
}

interface StartOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** Default: this Node. */
  readonly program?: string;
  /** Whether its end ends everything in good order. */
  readonly mayEnd?: boolean;
}

async function start(name: string, args: readonly string[], options: StartOptions = {}): Promise<Service> {
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  const service = await startService(name, args, { ...process.env, ...options.environment }, tell, options.program);
  if (stopping) {
    await service.stop();
    return service;
  }
  services.push(service);
  void service.ended.then(() => {
    if (stopping) return;
    if (options.mayEnd !== true) process.stderr.write(`${name} ended unexpectedly.\n`);
    void stopAll(options.mayEnd === true ? 0 : 1);
  });
  return service;
}

async function main(): Promise<void> {
  const began = performance.now();
  await buildStale({ root, workFolder, targets: allTargets(root), force: false, log: print });

  const local = join(root, '.local');
  await mkdir(local, { recursive: true, mode: 0o700 });
  const key = randomBytes(24).toString('base64url');
  const source = '--conditions=tabularium:source';
  const [, sandbox] = await Promise.all([
    start('registry', [source, join(root, 'registry/src/main.ts'), '--state', join(local, 'registry'), '--until-stdin-closes']),
    start(
      'sandbox',
      [source, join(root, 'tests/sandbox/src/main.ts'), '--sample', '--version', values.version, '--until-stdin-closes'],
      { environment: { SANDBOX_API_KEY: key } },
    ),
  ]);

  const sample = join(local, 'sample-connection.json');
  await writeSampleConnection(sample, join(root, 'drivers/search/package.json'), new URL(String(sandbox.ready['url'])));
  const ports = [
    ...(values.port === undefined ? [] : ['--port', values.port]),
    ...(values['mcp-port'] === undefined ? [] : ['--mcp-port', values['mcp-port']]),
  ];
  const environment = { [SAMPLE_KEY_VARIABLE]: key, TABULARIUM_LOCAL_REGISTRY: join(local, 'registry/registry.json') };
  const electron = values['no-open'] ? undefined : electronProgram(root, process.env);
  const host =
    electron === undefined
      ? await start(
          'host',
          [
            '--disable-sigusr1',
            join(root, 'host/dist/main.js'),
            'serve',
            '--sample-connection',
            sample,
            '--until-stdin-closes',
            ...ports,
          ],
          { environment },
        )
      : await start('host', [join(root, 'host/dist/electron/main.js')], {
          environment: { ...environment, TABULARIUM_SAMPLE_CONNECTION: sample },
          program: electron,
          // Closing the window ends all of it, as a person expects.
          mayEnd: true,
        });

  const { ui, mcp, home } = host.ready;
  print('');
  print(`Tabularium is ready (${((performance.now() - began) / 1000).toFixed(1)} s).`);
  print(`  Window   ${typeof ui === 'string' ? ui : 'in the application'}`);
  print(`  MCP      ${typeof mcp === 'string' ? mcp : 'switched off in the settings'}`);
  print(`  Home     ${String(home)}`);
  print(`  Sample   ${String(sandbox.ready['url'])} (connection "Sample cluster")`);
  print('Ctrl-C ends all of it.');
  if (values['no-open'] || typeof ui !== 'string') return;
  if (!(await openInBrowser(ui))) print('No browser could be opened: open the address of the window yourself.');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll(0));

if (values.help) {
  print(usage);
} else {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    await stopAll(1);
  }
}
