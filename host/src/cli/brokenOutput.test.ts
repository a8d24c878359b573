import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-output-'));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const NODE = [process.execPath, '--conditions=tabularium:source'];
const MAIN = join(import.meta.dirname, 'main.ts');

async function outcome(program: string, words: readonly string[]): Promise<readonly [number, string, string]> {
  const child = spawn(program, words, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { ...process.env, TABULARIUM_HOME: join(folder, 'home') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return [await ended, out, err];
}

/** A device that is always full exists on Linux alone, so the failure is the stream's own. The command takes a while to put things away. */
const interrupted = (code: string, own: number): string => `
  const { OutputWatch } = await import(${JSON.stringify(new URL('outputWatch.ts', import.meta.url).href)});
  const watch = new OutputWatch(process.stdout, process.stderr, () => { process.exitCode = 1; });
  watch.lost.addEventListener('abort', () => setTimeout(() => {
    process.stderr.write('put away\\n');
    process.exitCode = watch.exitCode(${own});
  }, 200));
  for (let time = 0; time < 2; time += 1) process.stdout.emit('error', Object.assign(new Error('broken'), { code: '${code}' }));
`;

const UNWRITTEN =
  'The answer could not be written to standard output (ENOSPC).\nCheck where standard output goes, and the space left there. What the command changed stays changed: look before you run it again.\n';

it.each([
  ['ENOSPC', 0, 1, `${UNWRITTEN}put away\n`],
  ['EPIPE', 0, 0, 'put away\n'],
  ['EPIPE', 1, 1, 'put away\n'],
])('standard output that fails with %s lets a command with exit code %i end with %i', async (code, own, exitCode, said) => {
  const words = [...NODE.slice(1), '--input-type=module', '--eval', interrupted(code, own)];
  expect(await outcome(process.execPath, words)).toEqual([exitCode, '', said]);
});

it('a command whose reader is gone has its own exit code', async () => {
  const pipeline = 'set -o pipefail; "$@" | true';
  const health = [...NODE, MAIN, 'health'];
  expect(await outcome('bash', ['-c', pipeline, 'bash', ...health])).toEqual([1, '', '']);
  expect(await outcome('bash', ['-c', pipeline, 'bash', ...NODE, MAIN, 'drivers', 'list'])).toEqual([0, '', '']);
});

it('a host whose address nothing reads stops, and says why', async () => {
  const serve = [...NODE, MAIN, 'serve'];
  expect(await outcome('bash', ['-c', 'set -o pipefail; "$@" | true', 'bash', ...serve])).toEqual([
    1,
    '',
    'Nothing read the address from standard output, so the server stopped.\nLet standard output go to a terminal, a file or a program that reads it to its end.\n',
  ]);
});

it('a token that could not be printed is revoked, and the error says so', async () => {
  const create = [...NODE, MAIN, 'tokens', 'create', '--name', 'lost', '--json'];
  const lost = await outcome('bash', ['-c', 'set -o pipefail; "$@" | true', 'bash', ...create]);
  expect(lost).toEqual([
    1,
    '',
    'The token "lost" could not be written to standard output, so it was revoked.\nCheck where standard output goes, and create another one.\n',
  ]);
  const [, out] = await outcome(process.execPath, [...NODE.slice(1), MAIN, 'tokens', 'list', '--json']);
  expect(JSON.parse(out)).toMatchObject({ tokens: [{ name: 'lost', revokedAt: expect.any(String) as string }] });
});

it.each(['>&-', '> /dev/null'])('no token is made where its text would be lost: %s', async (redirection) => {
  const create = [...NODE, MAIN, 'tokens', 'create', '--name', `lost ${redirection}`];
  const [code, , message] = await outcome('bash', ['-c', `"$@" ${redirection}`, 'bash', ...create]);
  expect(code).toBe(2);
  expect(message).toContain('Standard output goes nowhere, so the text of the token would be lost.');
  const [, out] = await outcome(process.execPath, [...NODE.slice(1), MAIN, 'tokens', 'list', '--json']);
  expect(out).not.toContain(`lost ${redirection}`);
});
