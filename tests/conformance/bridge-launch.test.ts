import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { BridgeProcess, modern } from '../support/bridgeHome.ts';

// The application started by its address, through the desktop's own opener: the host as it is built, without a screen.

const bin = (name: string): string => join(root, 'host/bin', name);

let folder: string;
let home: string;
let env: Record<string, string>;
const ending: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  await buildStale({ root, workFolder, targets: allTargets(root).filter(({ group }) => group === 'host'), log: () => undefined });
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tabularium-launch-')));
  home = join(folder, 'home');
  await mkdir(home, { mode: 0o700 });
  env = {
    PATH: `${join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    // Without it xdg-open takes addresses to a browser in a terminal. Nothing is ever shown on it.
    DISPLAY: ':99',
    TABULARIUM_HOME: home,
    // The data directory is not the usual one.
    TABULARIUM_REGISTER_URL: 'always',
    TABULARIUM_LOCAL_REGISTRY: join(folder, 'no-registry.json'),
  };
  await mkdir(join(folder, 'bin'));
});
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

function tabularium(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [bin('tabularium.mjs'), ...words], { env, encoding: 'utf8' });
}

async function handshake(): Promise<{ pid: number; instanceId: string }> {
  return JSON.parse(await readFile(join(home, 'mcp-handshake.json'), 'utf8')) as { pid: number; instanceId: string };
}

function bridge(program = bin('tabularium-mcp.mjs')): BridgeProcess {
  const started = new BridgeProcess(spawn(process.execPath, [program], { env, stdio: 'pipe' }));
  ending.push(() => started.kill());
  return started;
}

/** Ends the host that the bridge started, and waits until it has gone. */
async function endHost(): Promise<void> {
  const { pid } = await handshake();
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => runs(pid)).toBe(false);
  await expect(handshake()).rejects.toMatchObject({ code: 'ENOENT' });
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The desktop's opener, which passes on nothing that was not there when the session began. */
async function openerThatForgets(): Promise<void> {
  const file = join(folder, 'bin', 'xdg-open');
  await writeFile(file, '#!/bin/sh\nunset TABULARIUM_HOME\nexec /usr/bin/xdg-open "$@"\n');
  await chmod(file, 0o755);
}

/** Starts a host by hand, as `npm start` does. */
async function serve(): Promise<{ ready: Record<string, unknown>; end: () => Promise<unknown> }> {
  const child = spawn(process.execPath, [bin('tabularium.mjs'), 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const end = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  ending.push(end);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { ready: JSON.parse(line) as Record<string, unknown>, end };
}

if (process.platform === 'linux' && has('xdg-open')) {
  describe('an application that does not run', () => {
    it('is started by the desktop, hidden, and shows its window when it is started by hand', async () => {
      const registered = tabularium('integrations', 'register-url', '--json');
      expect([registered.stderr, registered.status]).toEqual(['', 0]);
      const entry = join(env['XDG_DATA_HOME'] ?? '', 'applications', 'tabularium-url-handler.desktop');
      expect(JSON.parse(registered.stdout)).toEqual({ state: 'registered', file: entry });
      expect(await readFile(entry, 'utf8')).toContain(`open-url --home ${home} %u`);
      expect(JSON.parse(tabularium('integrations', 'register-url', '--json').stdout)).toMatchObject({ state: 'unchanged' });
      await openerThatForgets();

      const client = bridge();
      // A busy machine may need longer for the start than the bridge waits. Its client asks again then.
      let asked = 10;
      await expect.poll(async () => (await client.ask(modern((asked += 1), 'tools/list'))).result).toBeDefined();
      const started = await handshake();
      ending.push(() => endHost());

      // A second one asks the one that runs.
      expect(tabularium('open-url', 'tabularium://integrations/start-mcp').status).toBe(0);
      expect(await handshake()).toEqual(started);

      // By hand: the window of the host that runs.
      const byHand = await serve();
      expect(byHand.ready).toMatchObject({ ready: true, home, ui: expect.stringContaining('http://127.0.0.1:') as string });
      expect(byHand.ready).not.toHaveProperty('hidden');
      expect((await fetch(String(byHand.ready['ui']), { redirect: 'manual' })).status).toBe(303);
      // It is hidden no more, so that a second start by hand is one too many.
      const second = tabularium('serve');
      expect([second.status, second.stderr]).toEqual([1, expect.stringContaining('A host already runs')]);
      await byHand.end();
      // A host started for the client keeps running for it.
      expect((await client.ask(modern(2, 'tools/list'))).result).toBeDefined();
      expect(await handshake()).toEqual(started);
    });

    it('is reached by the bridge of another install, whichever runs', async () => {
      await serve();
      const other = join(folder, 'other-install.cjs');
      await copyFile(join(root, 'host/dist/bridge.cjs'), other);
      const client = bridge(other);
      expect((await client.ask(modern(1, 'tools/list'))).result).toBeDefined();
      // The host has said to the desktop how it is started.
      await expect
        .poll(() =>
          readFile(join(env['XDG_DATA_HOME'] ?? '', 'applications', 'tabularium-url-handler.desktop'), 'utf8').catch(() => ''),
        )
        .toContain('x-scheme-handler/tabularium');
    });

    it('is not started by an address that is not ours', async () => {
      for (const address of ['tabularium://integrations/start-mcp?x=1', 'tabularium://other', 'https://example.org']) {
        const { status, stderr } = tabularium('open-url', address);
        expect([status, stderr]).toEqual([2, expect.stringContaining('no other address')]);
      }
    });
  });
}

it('keeps a bridge on a Node that is too old from starting, with a sentence', async () => {
  const script = `Object.defineProperty(process.versions, 'node', { value: '18.20.8' }); await import(${JSON.stringify(bin('tabularium-mcp.mjs'))});`;
  const file = join(folder, 'old.mjs');
  await writeFile(file, script);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8', input: '' });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^tabularium-mcp: The bridge needs Node 20 or newer, and this is Node /);
});
