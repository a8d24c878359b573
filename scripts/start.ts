import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale } from './build/buildStale.ts';
import { allTargets } from './build/targets.ts';
import { findRunningRegistry } from '../registry/src/registryFile.ts';
import { root, workFolder } from './paths.ts';
import { electronProgram } from './start/electron.ts';
import { openInBrowser } from './start/openWindow.ts';
import { SAMPLE_KEY_VARIABLE, serverConnection, writeSampleConnections } from './start/sample.ts';
import { databaseConnection, sampleDatabase } from './start/sampleDatabase.ts';
import type { Service } from './start/service.ts';
import { startService } from './start/service.ts';

const usage = `Usage: npm start -- [--no-open] [--version VERSION]

Builds what is stale, starts the local driver registry, the sandbox search server with sample data, and the host, makes a sample database file,
and opens the window.
Ctrl-C ends all of it.
  --no-open          open nothing
  --version VERSION  the version that the sandbox search server speaks as (26.0, 27.1, 28.0, 29.0)
  --port N           the window's port; any free one by default
  --mcp-port N       the preferred port of the MCP server
  --local DIR        where the registry and the sample keep what they need (default: .local in the repository)`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const PARENT_MILLISECONDS = 500;
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

/** @throws Error with a sentence for arguments that are not understood */
function readArguments() {
  const { values } = parseArgs({
    options: {
      'no-open': { type: 'boolean', default: false },
      version: { type: 'string', default: '29.0' },
      port: { type: 'string' },
      'mcp-port': { type: 'string' },
      local: { type: 'string', default: join(root, '.local') },
      help: { type: 'boolean', default: false },
    },
  });
  for (const name of ['port', 'mcp-port'] as const) {
    const text = values[name];
    if (text !== undefined && !(/^\d{1,5}$/.test(text) && Number(text) <= 65_535))
      throw new Error(`--${name}: ${text} is no port.`);
  }
  return values;
}

/** npm ends on a signal without handing it on to what it runs: whoever finds itself without its parent ends too. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void stopAll(0);
  }, PARENT_MILLISECONDS).unref();
}

async function main(values: ReturnType<typeof readArguments>): Promise<void> {
  const began = performance.now();
  endWithParent();
  const { local } = values;
  const running = await findRunningRegistry(join(local, 'registry/registry.json'));
  if (running !== undefined) {
    throw new Error(
      `Tabularium runs already with ${local}. "npx tabularium url" prints an address that opens its window; end it first, or name another folder with --local.`,
    );
  }
  await buildStale({ root, workFolder, targets: allTargets(root), force: false, log: print });

  await mkdir(local, { recursive: true, mode: 0o700 });
  const key = randomBytes(24).toString('base64url');
  const source = '--conditions=tabularium:source';
  const [, sandbox, database] = await Promise.all([
    start('registry', [source, join(root, 'registry/src/main.ts'), '--state', join(local, 'registry'), '--until-stdin-closes']),
    start(
      'sandbox',
      [source, join(root, 'tests/sandbox/src/main.ts'), '--sample', '--version', values.version, '--until-stdin-closes'],
      { environment: { SANDBOX_API_KEY: key } },
    ),
    sampleDatabase(local),
  ]);

  const sample = join(local, 'sample-connection.json');
  await writeSampleConnections(sample, [
    await serverConnection(join(root, 'drivers/search/package.json'), new URL(String(sandbox.ready['url']))),
    databaseConnection(database),
  ]);
  const ports = [
    ...(values.port === undefined ? [] : ['--port', values.port]),
    ...(values['mcp-port'] === undefined ? [] : ['--mcp-port', values['mcp-port']]),
  ];
  const environment = {
    // A trial from a checkout does not make itself the program for addresses; `tabularium integrations register-url` does.
    TABULARIUM_REGISTER_URL: process.env['TABULARIUM_REGISTER_URL'] ?? 'never',
    [SAMPLE_KEY_VARIABLE]: key,
    TABULARIUM_LOCAL_REGISTRY: join(local, 'registry/registry.json'),
  };
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

  const { ui, mcp, home, attached } = host.ready;
  print('');
  print(`Tabularium is ready (${((performance.now() - began) / 1000).toFixed(1)} s).`);
  print(`  Window   ${typeof ui === 'string' ? ui : 'in the application'}`);
  print(`  MCP      ${typeof mcp === 'string' ? mcp : 'switched off in the settings'}`);
  print(`  Home     ${String(home)}`);
  print(
    attached === true
      ? '  Host     one that an AI client had started: it goes on afterwards, and has no sample connection'
      : `  Sample   ${String(sandbox.ready['url'])} (connection "Sample cluster")\n  Sample   ${database} (connection "Sample database (SQLite)")`,
  );
  print('Ctrl-C ends all of it.');
  if (values['no-open'] || typeof ui !== 'string') return;
  if (!(await openInBrowser(ui))) print('No browser could be opened: open the address of the window yourself.');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll(0));

try {
  const values = readArguments();
  if (values.help) print(usage);
  else await main(values);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await stopAll(1);
}
