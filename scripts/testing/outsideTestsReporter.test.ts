import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { OUTSIDE_TESTS_FILE } from './outsideTestsReporter.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabularium-reporter-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the reporter of what is outside the tests', () => {
  it('names the file whose process died before it had begun, and the reason', () => {
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const name of ['one', 'two'])
      writeFileSync(join(folder, `${name}.test.mjs`), `import { it } from 'vitest'; it('holds', () => undefined);`);
    // The first process that gets here makes the file, and dies.
    writeFileSync(
      join(folder, 'preload.mjs'),
      `import { writeFileSync } from 'node:fs';
       let isFirst = true;
       try { writeFileSync(import.meta.dirname + '/died', '', { flag: 'wx' }); } catch { isFirst = false; }
       if (isFirst) process.exit(3);`,
    );
    const settings = { pool: 'forks', include: ['*.test.mjs'], execArgv: ['--import', join(folder, 'preload.mjs')] };
    writeFileSync(join(folder, 'vitest.config.mjs'), `export default { test: ${JSON.stringify(settings)} };`);
    const answer = join(folder, 'outside.json');
    const program = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [program, 'run', '--root', folder, `--reporter=${join(import.meta.dirname, 'outsideTestsReporter.ts')}`];
    expect(() =>
      execFileSync(process.execPath, args, { env: { ...process.env, [OUTSIDE_TESTS_FILE]: answer }, stdio: 'pipe' }),
    ).toThrow();
    expect(JSON.parse(readFileSync(answer, 'utf8'))).toEqual({
      errors: [expect.stringMatching(/Worker exited unexpectedly with exit code 3 during starting state/)],
      notBegun: [expect.stringMatching(/(?:one|two)\.test\.mjs$/)],
    });
  });
});
