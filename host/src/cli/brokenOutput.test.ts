import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const module = new URL('runProgram.ts', import.meta.url).href;
/** A device that is always full exists on Linux alone, so the failure is the stream's own. */
const program = (code: string): string => `
  const { reportBrokenOutput } = await import(${JSON.stringify(module)});
  process.stdout.on('error', reportBrokenOutput);
  process.stdout.destroy(Object.assign(new Error('broken'), { code: '${code}' }));
  setTimeout(() => process.exit(99), 5_000);
`;

it.each([
  [
    'ENOSPC',
    1,
    'The answer could not be written to standard output (ENOSPC).\nCheck where standard output goes, and the space left there, and try again.\n',
  ],
  ['EPIPE', 0, ''],
])('standard output that fails with %s ends the program with exit code %i', async (code, exitCode, said) => {
  const child = spawn(process.execPath, ['--conditions=tabularium:source', '--input-type=module', '--eval', program(code)], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [errors] = await Promise.all([text(child.stderr), text(child.stdout)]);
  expect([await ended, errors]).toEqual([exitCode, said]);
});
