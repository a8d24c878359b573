import { isAbsolute, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resolveHome } from '../runtime/storage/home.ts';
import { supportFolder } from './home.ts';

it('finds the home where the host has it', () => {
  const value = fc.option(fc.constantFrom('', '/a', 'relative', '/b/../c', 'C:\\x', '~', '~/x', '~x', '/a/~/b'), {
    nil: undefined,
  });
  const env = fc.record({ TABULARIUM_HOME: value, XDG_DATA_HOME: value, APPDATA: value });
  const platform = fc.constantFrom<NodeJS.Platform>('linux', 'darwin', 'win32', 'freebsd');
  fc.assert(
    fc.property(env, platform, (variables, name) => {
      expect(supportFolder(variables, name, '/home/me')).toBe(resolveHome(variables, name, '/home/me'));
    }),
  );
});

it('expands a leading ~, which the configuration of a client passes on as it is', () => {
  for (const resolved of [resolveHome, supportFolder]) {
    expect(resolved({ TABULARIUM_HOME: '~/data' }, 'linux', '/home/$&')).toBe(resolve('/home/$&/data'));
    expect(resolved({ TABULARIUM_HOME: '~' }, 'linux', '/home/me')).toBe(resolve('/home/me'));
    expect(resolved({ TABULARIUM_HOME: '/a/~' }, 'linux', '/home/me')).toBe(resolve('/a/~'));
    expect(resolved({ TABULARIUM_HOME: '~x' }, 'linux', '/home/me')).toBe(resolve('~x'));
  }
});

it('has the folder of the user where HOME is empty: Node would make a home in each folder that a command is run in', () => {
  const before = process.env['HOME'];
  process.env['HOME'] = '';
  try {
    for (const resolved of [resolveHome, supportFolder]) expect(isAbsolute(resolved({}, 'linux'))).toBe(true);
  } finally {
    if (before === undefined) delete process.env['HOME'];
    else process.env['HOME'] = before;
  }
});
