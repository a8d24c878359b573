import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { interruptedBy } from './interruptedBy.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-interrupted-'));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

it('puts things away after two signals at once, as a closing terminal sends them', async () => {
  const home = join(folder, 'home');
  const words = [
    '--conditions=tabularium:source',
    join(import.meta.dirname, 'main.ts'),
    'serve',
    '--port',
    '0',
    '--mcp-port',
    '0',
  ];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, TABULARIUM_HOME: home, TABULARIUM_REGISTER_URL: 'never' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  await once(createInterface(child.stdout), 'line');
  expect(await readdir(home)).toContain('host.json');
  child.kill('SIGHUP');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await readdir(home)).not.toContain('host.json');
});

it('ends at once at a signal that comes a second later', () => {
  let now = 0;
  let ends = 0;
  const signals = new EventEmitter();
  const signal = interruptedBy(
    signals,
    () => (ends += 1),
    () => now,
  );
  signals.emit('SIGINT');
  signals.emit('SIGTERM');
  now = 999;
  signals.emit('SIGHUP');
  expect([signal.aborted, ends]).toEqual([true, 0]);
  now = 1_000;
  signals.emit('SIGINT');
  expect(ends).toBe(1);
});
