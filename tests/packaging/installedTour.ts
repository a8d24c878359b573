import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startRegistry } from '@tabularium/registry';
import { startSandbox } from '@tabularium/sandbox';
import { expect } from 'vitest';
import { z } from 'zod';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import type { Ended, Machine } from './machine.test-helper.ts';

const KEY = 'tour-key';
const ROWS = 50;

const tablesSchema = z.object({ tables: z.array(z.object({ name: z.string(), rows: z.number() })) });

/** An installation under test. */
export interface Installation {
  readonly machine: Machine;
  /** The `tabularium` command. */
  readonly command: string;
  /** The `tabularium-mcp` command. */
  readonly bridge: string;
  /** Differences from the machine's environment. */
  readonly env: Record<string, string>;
}

/** A registry with the signed search driver, and a search server: what an installation needs of the world. */
export interface TourWorld extends AsyncDisposable {
  readonly env: Record<string, string>;
  readonly port: number;
}

/** @param folder - of the registry's files */
export async function startTourWorld(folder: string): Promise<TourWorld> {
  await buildStale({
    root,
    workFolder,
    targets: allTargets(root).filter(({ name }) => name === 'driver-search'),
    log: () => undefined,
  });
  await using stack = new AsyncDisposableStack();
  const registry = await startRegistry({ stateFolder: join(folder, 'registry') });
  stack.defer(() => registry.close());
  await registry.publish(join(root, 'drivers/search'));
  const sandbox = await startSandbox({ apiKey: KEY, sampleData: { products: ROWS } });
  stack.defer(() => sandbox.close());
  const opened = stack.move();
  return {
    env: { TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath, TOUR_KEY: KEY },
    port: Number(new URL(sandbox.url).port),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/**
 * A person's first minutes with an installation: its version, a host, a connection whose driver comes from the registry, its tables, and a client
 * that starts the bridge.
 */
export async function takeTour(
  { machine, command, bridge, env: own }: Installation,
  world: TourWorld,
  version: string,
): Promise<void> {
  const env = { ...own, ...world.env };
  const run = async (...words: string[]): Promise<Ended> => {
    const ended = await machine.run(command, words, { env });
    expect(ended, words.join(' ')).toMatchObject({ code: 0 });
    return ended;
  };
  expect(await run('--version')).toMatchObject({ stdout: `${version}\n`, stderr: '' });

  const host = spawn(command, ['serve'], {
    cwd: machine.folder,
    env: { ...machine.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(host, 'exit');
  try {
    const [line] = (await Promise.race([
      once(createInterface({ input: host.stdout }), 'line'),
      ended.then(([code]) => Promise.reject(new Error(`The host ended with ${String(code)}.`))),
    ])) as [string];
    const ready = z.looseObject({ ready: z.literal(true), ui: z.url(), mcp: z.url() }).parse(JSON.parse(line));
    expect(new URL(ready.ui).hostname).toBe('127.0.0.1');
    expect((await fetch(ready.ui, { redirect: 'manual' })).status).toBe(303);

    await run(
      ...['connections', 'add', '--driver', 'search', '--name', 'Tour', '--host', '127.0.0.1', '--port', String(world.port)],
      ...['--ssl-mode', 'disabled', '--api-key-env', 'TOUR_KEY', '--external-clients', 'readOnly', '--ai-policy', 'alwaysAllow'],
    );
    const { tables } = tablesSchema.parse(JSON.parse((await run('tables', 'Tour', '--json')).stdout));
    expect(tables).toContainEqual({ name: 'products', rows: ROWS });

    const client = new Client({ name: 'tour', version: '1' });
    // As clients start it: no arguments, no shell.
    const defaults = { HOME: machine.home, PATH: machine.env['PATH'] ?? '' };
    await client.connect(new StdioClientTransport({ command: bridge, env: { ...defaults, ...env }, stderr: 'inherit' }));
    try {
      expect(JSON.stringify(await client.callTool({ name: 'list_connections' }))).toContain('Tour');
    } finally {
      await client.close();
    }
  } finally {
    host.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
}
