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
      encoding: 'utf8',
    });
  try {
    const { status, stdout, stderr } = run('check', '--json');
    expect([status, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'PROJECT_INVALID', message: 'The folder that this command runs in no longer exists.' },
    });
    expect(run('--version')).toMatchObject({ status: 0, stderr: '' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
