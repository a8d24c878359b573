import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { driverSource } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createRegistry } from './packageHost.ts';

/** The built program, started as the launcher starts it. */
const program = ['--disable-sigusr1', join(root, 'host/dist/main.js')];

let folder: string;
let env: NodeJS.ProcessEnv;
const hosts: ChildProcess[] = [];

beforeAll(() =>
  buildStale({
    root,
    workFolder,
    targets: allTargets(root).filter(({ name }) => ['main', 'driver-process', 'catalogue'].includes(name)),
    log: () => undefined,
  }),
);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-test-'));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  env = { PATH, NODE_COMPILE_CACHE, HOME: folder, TABULARIUM_HOME: join(folder, 'home') };
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await end(host, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}

async function serve(): Promise<{ host: ChildProcess; ready: Record<string, string> }> {
  const host = spawn(process.execPath, [...program, 'serve', '--mcp-port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  hosts.push(host);
  const ended = once(host, 'exit').then(() => Promise.reject(new Error('the host ended before it was ready')));
  const [line] = (await Promise.race([once(createInterface({ input: host.stdout }), 'line'), ended])) as [string];
  ended.catch(() => undefined);
  return { host, ready: JSON.parse(line) as Record<string, string> };
}

async function command(...words: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [...program, ...words, '--json'], { env }).catch(
    (error: unknown) => error as { stdout: string },
  );
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('the real program', () => {
  it('shares one home between a host and commands, and leaves nothing running', async () => {
    const { host, ready } = await serve();
    const token = await command('tokens', 'create', '--name', 'a');
    // The host sees an entry of the other process at once.
    const call = (): Promise<Response> =>
      fetch(String(ready['mcp']), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${String(token['token'])}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
        }),
      });
    expect((await call()).status).toBe(200);
    await command('tokens', 'revoke', 'a');
    expect((await call()).status).toBe(401);
    expect(await end(host, 'SIGTERM')).toBe(0);
    expect(await readdir(env['TABULARIUM_HOME'] ?? '')).not.toContain('host.json');
  });

  it('starts after a host was killed, despite its lock, socket and announcement', async () => {
    const { host } = await serve();
    await command('tokens', 'create', '--name', 'kept');
    await end(host, 'SIGKILL');
    expect(await readdir(env['TABULARIUM_HOME'] ?? '')).toContain('host.json');
    expect(await command('tokens', 'list')).toMatchObject({ tokens: [{ name: 'kept' }] });
    const { host: second } = await serve();
    expect(await command('tokens', 'list')).toMatchObject({ tokens: [{ name: 'kept' }] });
    expect(await end(second, 'SIGINT')).toBe(0);
  });

  it('installs one driver for several commands that want it at the same time, with a host and without', async () => {
    const registry = await createRegistry();
    try {
      await registry.publish(tinyDriver({ code: driverSource('', '', 'tiny') }));
      env = { ...env, TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath };
      const home = env['TABULARIUM_HOME'] ?? '';
      for (const withHost of [false, true]) {
        const running = withHost ? await serve() : undefined;
        const installed = await Promise.all([1, 2, 3].map(() => command('drivers', 'install', 'tiny')));
        expect(installed).toMatchObject([1, 2, 3].map(() => ({ id: 'tiny', version: '1.0.0' })));
        expect(await command('drivers', 'list')).toMatchObject({ drivers: [{ version: '1.0.0', current: true }] });
        expect((await readdir(join(home, 'drivers'), { recursive: true })).toSorted()).toEqual([
          'tiny',
          'tiny/1.0.0',
          'tiny/1.0.0/dist',
          'tiny/1.0.0/dist/index.js',
          'tiny/1.0.0/package.json',
          'tiny/1.0.0/tabularium.signature.json',
        ]);
        await command('drivers', 'remove', 'tiny');
        if (running !== undefined) await end(running.host, 'SIGTERM');
      }
    } finally {
      await registry.close();
    }
  });

  it('keeps the key of a window out of everything that it writes', async () => {
    const { host, ready } = await serve();
    const key = new URL(String(ready['ui'])).searchParams.get('key') ?? '';
    expect(key).toHaveLength(43);
    const entered = await fetch(String(ready['ui']), { redirect: 'manual' });
    const cookie = entered.headers.get('set-cookie')?.split(/[=;]/)[1] ?? '';
    expect(cookie).toHaveLength(43);
    await end(host, 'SIGTERM');
    for (const entry of await readdir(env['TABULARIUM_HOME'] ?? '', { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const content = (await readFile(join(entry.parentPath, entry.name))).toString('latin1');
      expect(content.includes(key) || content.includes(cookie)).toBe(false);
    }
  });
});
