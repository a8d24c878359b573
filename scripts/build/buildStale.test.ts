import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildStale } from './buildStale.ts';
import type { Target } from './targets.ts';

let root: string;
let builds: string[];

const put = (file: string, text: string): void => {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
};

/** Copies a/input.txt to dist/a.txt, and makes a folder beside it. */
function copy(name: string): Target {
  return {
    name,
    group: 'host',
    inputs: [name],
    folder: 'dist',
    outputs: [`${name}.txt`, `${name}-chunks`],
    async build(staging) {
      builds.push(name);
      writeFileSync(join(staging, `${name}.txt`), readFileSync(join(root, name, 'input.txt')));
      mkdirSync(join(staging, `${name}-chunks`));
      writeFileSync(join(staging, `${name}-chunks`, `${builds.length}.txt`), '');
    },
  };
}

const build = (targets: Target[], force = false): Promise<string[]> =>
  buildStale({ root, workFolder: join(root, '.work'), targets, force, log: () => undefined });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tabularium-build-'));
  builds = [];
  put('a/input.txt', 'one');
  put('b/input.txt', 'two');
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('buildStale', () => {
  it('builds what it never built, and then nothing', async () => {
    expect(await build([copy('a'), copy('b')])).toEqual(['a', 'b']);
    expect(readFileSync(join(root, 'dist/a.txt'), 'utf8')).toBe('one');
    expect(await build([copy('a'), copy('b')])).toEqual([]);
    expect(builds).toEqual(['a', 'b']);
  });

  it('builds again what changed, by content', async () => {
    await build([copy('a'), copy('b')]);
    put('a/input.txt', 'one');
    expect(await build([copy('a'), copy('b')])).toEqual([]);
    put('a/input.txt', 'three');
    expect(await build([copy('a'), copy('b')])).toEqual(['a']);
    put('a/deeper/more.ts', '');
    expect(await build([copy('a'), copy('b')])).toEqual(['a']);
  });

  it('does not take tests and outputs for sources', async () => {
    await build([copy('a')]);
    for (const file of ['a/x.test.ts', 'a/x.test-helper.ts', 'a/dist/x.js', 'a/node_modules/x/index.js']) put(file, '');
    expect(await build([copy('a')])).toEqual([]);
  });

  it('rebuilds a target that lost an output, or on request', async () => {
    await build([copy('a')]);
    rmSync(join(root, 'dist/a.txt'));
    expect(await build([copy('a')])).toEqual(['a']);
    expect(await build([copy('a')], true)).toEqual(['a']);
  });

  it('replaces folders as a whole', async () => {
    await build([copy('a')]);
    await build([copy('a')], true);
    expect(readdirSync(join(root, 'dist/a-chunks'))).toEqual(['2.txt']);
    expect(readdirSync(join(root, 'dist')).sort()).toEqual(['a-chunks', 'a.txt']);
  });

  it('keeps the old output when a build fails, and tries again the next time', async () => {
    await build([copy('a')]);
    put('a/input.txt', 'three');
    const broken: Target = { ...copy('a'), build: () => Promise.reject(new Error('syntax error')) };
    await expect(build([broken])).rejects.toThrow('Building a failed. syntax error');
    expect(readFileSync(join(root, 'dist/a.txt'), 'utf8')).toBe('one');
    expect(existsSync(join(root, '.work/build.lock'))).toBe(false);
    expect(await build([copy('a')])).toEqual(['a']);
  });

  it('builds once when several ask at the same moment', async () => {
    const results = await Promise.all([build([copy('a')]), build([copy('a')]), build([copy('a')])]);
    expect(results.flat()).toEqual(['a']);
    expect(builds).toEqual(['a']);
  });

  it('takes over the lock of a process that has ended', async () => {
    // Linux never gives out 2^22 and above as a process id, nor do the others.
    put('.work/build.lock', String(2 ** 22 + 1));
    expect(await build([copy('a')])).toEqual(['a']);
  });
});
