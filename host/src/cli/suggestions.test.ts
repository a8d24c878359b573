import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../common/errors.ts';
import { FakeMachine } from './cli.test-helper.ts';
import { commandReport } from './commandReport.ts';
import { startRuntime } from './startRuntime.ts';

let machine: FakeMachine;
beforeEach(async () => {
  machine = await FakeMachine.create();
});
afterEach(() => machine[Symbol.asyncDispose]());

describe('a word that names no command', () => {
  it.each([
    ['drivers uninstall search', 'Did you mean "tabularium drivers remove"?'],
    ['connections delete Shop', 'Did you mean "tabularium connections remove"?'],
    ['tokens delete x', 'Did you mean "tabularium tokens revoke"?'],
    ['start', 'Did you mean "tabularium open" or "tabularium serve"?'],
    ['metrics onn', 'Did you mean "tabularium metrics on"?'],
    ['logs tail', 'Did you mean "tabularium logs --follow"?'],
    ['conections list', 'Did you mean "tabularium connections"?'],
  ])('leads to the one that is meant: %s', async (line, suggestion) => {
    const { code, err } = await machine.run(line.split(' '));
    expect([code, err]).toEqual([2, expect.stringContaining(suggestion)]);
    expect(err.match(/Did you mean/g)).toHaveLength(1);
  });

  it('leads nowhere where nothing is near', async () => {
    const { code, err } = await machine.run(['quux']);
    expect([code, err]).toEqual([2, expect.not.stringContaining('Did you mean')]);
  });
});

describe('help', () => {
  it.each(['connections add', 'drivers registries add', 'doctor', 'connections'])(
    'shows the command that it names: %s',
    async (words) => {
      const { code, out } = await machine.run(['help', ...words.split(' ')]);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: tabularium ${words} `);
    },
  );
});

describe('an unknown option', () => {
  it('is explained with a dash only where the command takes a text', async () => {
    expect((await machine.run(['query', 'Shop', '-x'])).err).toContain('Write -- before');
    for (const words of [
      ['doctor', '--nothing'],
      ['connections', 'list', '--nothing'],
      ['connections', 'export', '--nothing'],
      ['--nothing'],
    ])
      expect((await machine.run(words)).err).not.toContain('Write -- before');
  });
});

describe('an option of another command', () => {
  it.each([
    ['connections export --output x.json', '--file'],
    ['backup --file x.db', '--output'],
    ['backup -o x.db', '--output'],
    ['connections export --force', '--overwrite'],
  ])('leads to the one that is meant: %s', async (line, option) => {
    const { code, err } = await machine.run(line.split(' '));
    expect([code, err]).toEqual([2, expect.stringMatching(new RegExp(`Did you mean ${option}\\?`))]);
    expect(err).not.toContain('Write -- before');
  });
});

describe('a file that exists', () => {
  it('is replaced by an option, which the refusal names; a folder is not', async () => {
    expect(commandReport(new HostError('FILE_EXISTS')).advice).toContain('--overwrite');
    const folder = join(machine.home, '..', 'folder');
    await mkdir(folder);
    const file = join(folder, 'file');
    await writeFile(file, 'x');
    const env = { HOME: folder, TABULARIUM_LOCAL_REGISTRY: join(folder, 'none.json') };
    const existing = await machine.run(['backup', '--output', file], { startRuntime, env });
    expect([existing.code, existing.err]).toEqual([1, expect.stringContaining('add --overwrite')]);
    for (const words of [
      ['--output', folder],
      ['--output', folder, '--overwrite'],
    ]) {
      const { code, err } = await machine.run(['backup', ...words], { startRuntime, env });
      expect([code, err]).toEqual([1, expect.stringMatching(/is a folder\.\nName a file in it\./)]);
    }
    const link = join(folder, 'link');
    await symlink(file, link);
    const linked = await machine.run(['backup', '--output', link, '--overwrite'], { startRuntime, env });
    expect([linked.code, linked.err]).toEqual([1, expect.stringMatching(/isn't a file, and is not replaced\.\nName a file\./)]);
  });
});
