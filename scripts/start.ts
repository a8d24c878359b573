import { join } from 'node:path';
import { openWindow } from '../host/src/web/openWindow.ts';
import { buildStale } from './build/buildStale.ts';
import { allTargets } from './build/targets.ts';
import { directLoopback } from './directLoopback.ts';
import { root, workFolder } from './paths.ts';
import { electronProgram } from './start/electron.ts';
import { onInterruption } from './start/interruption.ts';
import { refuseSecondStart, startSampleServices } from './start/sampleServices.ts';
import { ServiceGroup } from './start/serviceGroup.ts';
import { OPTIONS_HELP, readStartArguments } from './start/startArguments.ts';
import type { StartArguments } from './start/startArguments.ts';

const usage = `Usage: npm start -- [--no-open] [--version VERSION]

Builds what is stale, starts the local driver registry, the sandbox search server with sample data, and the host, makes a sample database file,
offers a sample PostgreSQL server, and opens the window.
Ctrl-C ends all of it.
${OPTIONS_HELP}`;

// For the registry and the servers that it starts as well.
Object.assign(process.env, directLoopback(process.env));

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const services = new ServiceGroup((exitCode) => void stopAll(exitCode));
let stopping = false;

async function stopAll(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  await services.stopAll();
  process.exit(exitCode);
}

async function main({ open, version, port, mcpPort, local }: StartArguments): Promise<void> {
  const began = performance.now();
  await refuseSecondStart(local);
  await buildStale({ root, workFolder, targets: allTargets(root), force: false, log: print });
  const sample = await startSampleServices(services, { local, version });
  const ports = [
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(mcpPort === undefined ? [] : ['--mcp-port', String(mcpPort)]),
  ];
  const electron = open ? electronProgram(root, process.env) : undefined;
  const serve = ['serve', '--sample-connection', sample.connections, '--until-stdin-closes', ...ports];
  const host =
    electron === undefined
      ? await services.start('host', ['--disable-sigusr1', join(root, 'host/dist/main.js'), ...serve], {
          environment: sample.environment,
        })
      : await services.start('host', [join(root, 'host/dist/electron/main.js')], {
          environment: { ...sample.environment, TABULARIUM_SAMPLE_CONNECTION: sample.connections },
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
  const samples = [
    `${sample.server} (connection "Sample cluster")`,
    `${sample.database} (connection "Sample database (SQLite)")`,
    ...(sample.postgres === undefined
      ? []
      : [`${sample.postgres} (connection "Sample database (PostgreSQL)", whose server starts when it is first opened)`]),
  ];
  if (attached === true)
    print('  Host     one that an AI client had started: it goes on afterwards, and has no sample connection');
  else for (const line of samples) print(`  Sample   ${line}`);
  print(`  Authors  npm create @tabularium/driver my-driver --@tabularium:registry=${sample.registry}`);
  print('Ctrl-C ends all of it.');
  if (!open || typeof ui !== 'string') return;
  if ((await openWindow({ url: ui, home: String(home), env: process.env })) === undefined)
    print('No browser could be opened: open the address of the window yourself.');
}

onInterruption((reason) => {
  if (reason !== undefined) process.stderr.write(`${reason}\n`);
  void stopAll(0);
});

try {
  const values = readStartArguments(process.argv.slice(2));
  if (values.help) print(usage);
  else await main(values);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await stopAll(1);
}
