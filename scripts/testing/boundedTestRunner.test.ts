import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../paths.ts';
import { TEST_DEADLINE } from './deadline.ts';
import { outcomeOf } from './vitest.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tabularium-runner-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
});

/** Runs one file of tests with a deadline, and answers what Vitest reported of it. */
function run(text: string, deadline: number | undefined): string {
  writeFileSync(join(folder, 'one.test.mjs'), text);
  const settings = { pool: 'forks', include: ['*.test.mjs'], runner: join(import.meta.dirname, 'boundedTestRunner.ts') };
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default { test: ${JSON.stringify(settings)} };`);
  const report = join(folder, 'report.json');
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, [TEST_DEADLINE]: deadline === undefined ? undefined : String(deadline) };
  execFileSync(process.execPath, [program, 'run', '--root', folder, '--reporter=json', `--outputFile.json=${report}`], {
    env,
    stdio: 'pipe',
  });
  return readFileSync(report, 'utf8');
}

const FILE = `
  import { writeFileSync } from 'node:fs';
  import { afterAll, beforeAll, describe, it } from 'vitest';
  const mark = (name) => writeFileSync(import.meta.dirname + '/' + name, '');
  beforeAll(() => mark('prepared'));
  afterAll(() => mark('cleared'));
  it('sees the deadline pass', () => {
    if (process.env.${TEST_DEADLINE} !== undefined) process.env.${TEST_DEADLINE} = String(Date.now() - 1);
    mark('first');
  });
  it('comes after it', () => mark('second'));
  describe('a group', () => {
    beforeAll(() => mark('group'));
    it('comes after it, too', () => mark('third'));
  });`;

const made = (): string[] =>
  ['prepared', 'first', 'second', 'group', 'third', 'cleared'].filter((name) => existsSync(join(folder, name)));

describe('BoundedTestRunner', () => {
  it('finishes the test that runs at the deadline, begins no other, and clears up', () => {
    const report = run(FILE, Date.now() + 3_600_000);
    expect(made()).toEqual(['prepared', 'first', 'cleared']);
    expect(outcomeOf(report, 0)).toEqual({
      passed: 1,
      failed: 0,
      faults: [],
      leftOut: [{ file: relative(root, join(folder, 'one.test.mjs')), count: 2, of: 3 }],
    });
  });

  it('prepares nothing for a file that has not begun', () => {
    const report = run(FILE, Date.now() - 1);
    expect(made()).toEqual([]);
    expect(outcomeOf(report, 0)).toMatchObject({
      passed: 0,
      failed: 0,
      leftOut: [{ file: relative(root, join(folder, 'one.test.mjs')), count: 3, of: 3 }],
    });
  });

  it('runs everything without a deadline', () => {
    const report = run(FILE, undefined);
    expect(made()).toEqual(['prepared', 'first', 'second', 'group', 'third', 'cleared']);
    expect(outcomeOf(report, 0)).toEqual({ passed: 3, failed: 0, faults: [] });
  });

  it('hides no test that is skipped otherwise, nor one that failed', () => {
    const skipped = run(`import { it } from 'vitest'; it.skip('waits', () => undefined);`, Date.now() - 1);
    expect(outcomeOf(skipped, 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});
