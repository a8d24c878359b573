import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRegistry } from './startRegistry.ts';

const usage = `Usage: node --conditions=tabularium:source registry/src/main.ts [--state DIR] [--port N] [--until-stdin-closes]

Starts the local driver registry on 127.0.0.1, signs and publishes the drivers of this repository, serves the SDK
and the scaffolder to authors of drivers, and prints one line of JSON when it
is ready: {"ready":true,"url":…,"registryFile":…}. Ends on SIGTERM and SIGINT.
  --state DIR            where packages and the signing key are kept (default: .local/registry in the repository)
  --port N               default: a free port
  --until-stdin-closes   also end when standard input closes, so that it never outlives who started it`;

const repository = join(import.meta.dirname, '../..');

/** The packages that authors of drivers install, where they are built. */
function builtAuthorPackages(): string[] {
  return ['sdk', 'create-driver'].map((name) => join(repository, name)).filter((folder) => existsSync(join(folder, 'dist')));
}

/** Folders of drivers/ that are built. */
function builtDrivers(): string[] {
  const drivers = join(repository, 'drivers');
  if (!existsSync(drivers)) return [];
  return readdirSync(drivers)
    .map((name) => join(drivers, name))
    .filter((folder) => existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'dist')));
}

const print = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      state: { type: 'string', default: join(repository, '.local', 'registry') },
      port: { type: 'string', default: '0' },
      'until-stdin-closes': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(usage);
    return;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${values.port} isn't a port.`);

  const ending = new AbortController();
  const ended = new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()));
  const end = (): void => ending.abort();
  process.on('SIGTERM', end).on('SIGINT', end);
  if (values['until-stdin-closes']) process.stdin.on('end', end).on('close', end).resume();

  const run = async (): Promise<void> => {
    const registry = await startRegistry({ stateFolder: values.state, port, log: print, signal: ending.signal });
    try {
      for (const folder of builtDrivers()) await registry.publish(folder);
      for (const folder of builtAuthorPackages()) await registry.publishForAuthors(folder);
      process.stdout.write(`${JSON.stringify({ ready: true, url: registry.url, registryFile: registry.registryJsonPath })}\n`);
      await ended;
    } finally {
      await registry.close();
    }
  };
  await run().catch((error: unknown) => {
    // Stopped before it was ready, which isn't a failure.
    if (!ending.signal.aborted) throw error;
  });
}

try {
  await main();
  // verdaccio keeps timers that would hold the process.
  process.exit(0);
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
