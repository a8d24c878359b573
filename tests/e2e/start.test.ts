import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';

// `npm start` as it is typed: what it prints, and that nothing of it is left when it is ended, in each of the ways in which it is ended.

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-start-'));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

interface Started {
  readonly npm: ChildProcess;
  readonly addresses: readonly string[];
}

async function start(): Promise<Started> {
  const npm = spawn('npm', ['start', '--', '--no-open', '--mcp-port', '0', '--local', join(folder, 'local')], {
    cwd: root,
    env: { ...process.env, TABULARIUM_HOME: join(folder, 'home') },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group, as a terminal makes one of a command.
    detached: true,
  });
  const addresses: string[] = [];
  for await (const line of createInterface({ input: npm.stdout })) {
    const [, address] = /^ {2}(?:Window|MCP|Sample) +(http:\S+)/.exec(line) ?? [];
    if (address !== undefined) addresses.push(new URL(address).origin);
    if (line.startsWith('Ctrl-C')) break;
  }
  expect(addresses).toHaveLength(3);
  return { npm, addresses };
}

async function expectNothingLeft({ addresses }: Started): Promise<void> {
  for (const address of addresses) {
    await expect
      .poll(
        () =>
          fetch(address).then(
            () => 'answers',
            () => 'gone',
          ),
        { timeout: 15_000 },
      )
      .toBe('gone');
  }
  await expect.poll(() => readdir(join(folder, 'home')), { timeout: 15_000 }).not.toContain('mcp-handshake.json');
  expect(await readdir(join(folder, 'home'))).not.toContain('host.json');
}

describe('npm start', { timeout: 180_000 }, () => {
  it('ends cleanly on Ctrl-C, which a terminal sends to the whole group, and keeps what was saved for the next start', async () => {
    const first = await start();
    const ended = once(first.npm, 'exit');
    process.kill(-(first.npm.pid ?? 0), 'SIGINT');
    await ended;
    await expectNothingLeft(first);

    const second = await start();
    const child = spawn(process.execPath, [join(root, 'host/bin/tabularium.mjs'), 'tables', 'Sample cluster', '--json'], {
      env: { ...process.env, TABULARIUM_HOME: join(folder, 'home') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    await once(child, 'close');
    const { tables } = z.object({ tables: z.array(z.object({ name: z.string(), rows: z.number() })) }).parse(JSON.parse(output));
    expect(tables).toContainEqual({ name: 'products', rows: 200_000 });
    // npm hands no signal on; what it started has to notice by itself.
    second.npm.kill('SIGTERM');
    await expectNothingLeft(second);
  });
});
