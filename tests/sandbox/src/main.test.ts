import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { ask } from './testing.test-helper.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const started: ChildProcessWithoutNullStreams[] = [];

const start = (args: readonly string[], key: string | undefined = 'test-key'): ChildProcessWithoutNullStreams => {
  const { SANDBOX_API_KEY: _, ...environment } = process.env;
  const env = key === '' ? environment : { ...environment, SANDBOX_API_KEY: key };
  const child = spawn(process.execPath, ['--conditions=tabularium:source', MAIN, ...args], { env });
  started.push(child);
  return child;
};

const firstLine = async (child: ChildProcessWithoutNullStreams): Promise<unknown> => {
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return JSON.parse(chunk.toString('utf8'));
};

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

describe('the runnable sandbox', () => {
  test('says in one line where it listens, and ends on SIGTERM', async () => {
    const child = start(['--version', '27.1']);
    const line = await firstLine(child);
    expect(line).toMatchObject({ ready: true, version: '27.1' });
    const { url } = line as { url: string };
    expect((await ask(url, '/debug')).json).toEqual({ state: 1, version: '27.1' });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('ends with its standard input when asked to', async () => {
    const child = start(['--until-stdin-closes']);
    await firstLine(child);
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.for([
    [['--version', '25.0'], 'test-key', 'There is no version 25.0; the sandbox knows 26.0, 27.1, 28.0, 29.0, 30.0.'],
    [[], '', 'Set SANDBOX_API_KEY to the key that the sandbox should accept.'],
  ] as const)('refuses %j with a key of %j', async ([args, key, sentence]) => {
    const child = start(args, key);
    const chunks: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(Buffer.concat(chunks).toString('utf8').trim()).toBe(sentence);
  });
});
