import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resolveHome } from '../runtime/home/home.ts';
import { supportFolder } from './home.ts';

it('finds the home where the host has it', () => {
  const value = fc.option(fc.constantFrom('', '/a', 'relative', '/b/../c', 'C:\\x'), { nil: undefined });
  const env = fc.record({ TABULARIUM_HOME: value, XDG_DATA_HOME: value, APPDATA: value });
  const platform = fc.constantFrom<NodeJS.Platform>('linux', 'darwin', 'win32', 'freebsd');
  fc.assert(
    fc.property(env, platform, (variables, name) => {
      expect(supportFolder(variables, name, '/home/me')).toBe(resolveHome(variables, name, '/home/me'));
    }),
  );
});
