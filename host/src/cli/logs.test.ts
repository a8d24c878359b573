import { appendFileSync, mkdirSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logEntrySchema } from '../common/logs.ts';
import { lineOf } from '../runtime/storage/fileLogger.ts';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
beforeEach(async () => {
  machine = await FakeMachine.create();
});
afterEach(() => machine[Symbol.asyncDispose]());

const entry = (message: string, level: 'info' | 'warn' = 'info'): string =>
  lineOf({ time: '2026-03-02T09:15:00.000Z', level, component: 'host', message });

async function withLog(...lines: readonly string[]): Promise<string> {
  const folder = join(machine.home, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'host.log');
  await writeFile(file, lines.join(''));
  await chmod(machine.home, 0o700);
  return file;
}

/** A host from its start until it has logged that it is ready. */
async function serveOnce(words: readonly string[], prepare: () => void = () => undefined): Promise<string> {
  prepare();
  const stop = new AbortController();
  const { err } = await machine.run(['serve', ...words], { signal: stop.signal, onOutput: () => stop.abort() });
  return err;
}

describe('logs', () => {
  it('prints the newest entries of a level, as text or as one line of JSON each, and starts no host', async () => {
    await withLog(entry('first'), entry('second', 'warn'), '{"torn', '\n', entry('third', 'warn'), entry('\u001b[2Jfourth'));
    expect((await machine.run(['logs'])).out).toBe(
      [
        '2026-03-02T09:15:00.000Z info  host: first',
        '2026-03-02T09:15:00.000Z warn  host: second',
        '2026-03-02T09:15:00.000Z warn  host: third',
        '2026-03-02T09:15:00.000Z info  host: ⟨U+001B⟩[2Jfourth',
        '',
      ].join('\n'),
    );
    const { out } = await machine.run(['logs', '--level', 'warn', '--lines', '1', '--json']);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => logEntrySchema.parse(JSON.parse(line)).message),
    ).toEqual(['third']);
    expect(machine.started).toBe(0);
  });

  it('follows until it is interrupted', async () => {
    const file = await withLog(entry('before'));
    const stop = new AbortController();
    const { out } = await machine.run(['logs', '--follow'], {
      signal: stop.signal,
      onOutput: (text) => {
        if (text.includes('after')) stop.abort();
        else appendFileSync(file, entry('after'));
      },
    });
    expect(out.match(/(?<=host: ).*/g)).toEqual(['before', 'after']);
  });

  it('refuses sizes beyond the bounds', async () => {
    for (const words of [
      ['--file-size', '101'],
      ['--file-size', '0'],
      ['--older-files', '21'],
      ['--level', 'loud'],
    ])
      expect((await machine.run(['logs', 'settings', ...words])).code).toBe(2);
  });
});

describe('the log of serve', () => {
  it('is on standard error where that is asked for', async () => {
    expect(await serveOnce([])).toBe('');
    const lines = (await serveOnce(['--log-format', 'json'])).trimEnd().split('\n');
    expect(lines.map((line) => logEntrySchema.parse(JSON.parse(line)).message)).toEqual([
      'the host is ready',
      'the host is stopping',
    ]);
    expect(await serveOnce(['--log-format', 'text'])).toMatch(/^\S+Z info {2}host: the host is ready \(version=/);
    expect(await serveOnce(['--log-format', 'json', '--log-level', 'warn'])).toBe('');
    expect(await readFile(join(machine.home, 'logs', 'host.log'), 'utf8')).not.toContain('key=');
  });

  it('says once that it cannot be written, and the host works on', async () => {
    const err = await serveOnce([], () => mkdirSync(join(machine.home, 'logs', 'host.log'), { recursive: true, mode: 0o700 }));
    expect(err.match(/can't be written/g)).toHaveLength(1);
    expect(err).toContain(join('logs', 'host.log'));
  });
});
