import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('a command in a folder that was removed says so where it needs the folder, without a stack', () => {
  // Windows removes no folder that a process is in.
  if (process.platform === 'win32') return;
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-folder-'));
  const program = [process.execPath, '--conditions=tabularium:source', join(import.meta.dirname, 'main.ts')];
  const run = (...words: string[]) =>
    spawnSync('bash', ['-c', 'mkdir gone && cd gone && rmdir ../gone && "$@"', 'bash', ...program, ...words], {
      cwd: folder,
      env: { ...process.env, TABULARIUM_HOME: join(folder, 'home') },
      encoding: 'utf8',
    });
  try {
    const { status, stdout, stderr } = run('backup', '--output', 'x.db', '--json');
    expect([status, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        message: 'The folder that this command runs in no longer exists.',
        advice: expect.stringMatching(/^Change to/) as string,
      },
    });
    expect(run('metrics').stdout).toBe('The metrics are off.\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
