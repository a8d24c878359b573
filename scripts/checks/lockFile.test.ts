import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { OLDER_SERVERS_FOLDER } from '../postgres/olderServers.ts';
import { faultsOfLockFile } from './lockFile.ts';

const lock = (packages: Record<string, unknown>): string => JSON.stringify({ lockfileVersion: 3, packages });
const present = { integrity: 'sha512-x' };

describe('faultsOfLockFile', () => {
  it('finds nothing wrong with the lock file of the repository', () => {
    const [text = '', packageText = ''] = ['package-lock.json', 'package.json'].map((file) =>
      readFileSync(join(root, file), 'utf8'),
    );
    expect(faultsOfLockFile(text, packageText)).toEqual([]);
    // The decision that npm 10 needs.
    expect(faultsOfLockFile(text)).not.toEqual([]);
  });

  it('finds nothing wrong with the lock file of the older PostgreSQL servers', () => {
    const [text = '', packageText = ''] = ['package-lock.json', 'package.json'].map((file) =>
      readFileSync(join(OLDER_SERVERS_FOLDER, file), 'utf8'),
    );
    expect(faultsOfLockFile(text, packageText)).toEqual([]);
  });

  it('accepts optional packages at the place itself, beside it, and further up', () => {
    const text = lock({
      '': { optionalDependencies: { top: '1' } },
      'node_modules/top': present,
      'node_modules/a': { ...present, optionalDependencies: { inner: '1', top: '1' } },
      'node_modules/a/node_modules/inner': present,
      'node_modules/a/node_modules/b': { ...present, optionalDependencies: { inner: '1', top: '1' } },
      host: { optionalDependencies: { top: '1' } },
      'node_modules/@us/host': { resolved: 'host', link: true },
    });
    expect(faultsOfLockFile(text)).toEqual([]);
  });

  it('names each optional package that is missing', () => {
    const text = lock({
      'node_modules/a': { ...present, optionalDependencies: { 'a-darwin': '1', 'a-linux': '1' } },
      'node_modules/a-linux': present,
      'node_modules/b/node_modules/a-darwin': present,
    });
    expect(faultsOfLockFile(text)).toEqual([expect.stringContaining('node_modules/a wants the optional package a-darwin')]);
  });

  it('names a peer in a version that the package does not want, unless an override decides', () => {
    const packages = {
      'node_modules/a': { ...present, version: '1.0.0', peerDependencies: { peer: '^2', other: 'npm:@x/real@>=3', absent: '1' } },
      'node_modules/a/node_modules/peer': { ...present, version: '2.0.0' },
      'node_modules/peer': { ...present, version: '1.9.0' },
      'node_modules/other': { ...present, version: '3.1.0' },
    };
    expect(faultsOfLockFile(lock(packages))).toEqual([
      expect.stringMatching(/^node_modules\/a wants peer \^2 beside it, which is 1\.9\.0: /),
    ]);
    expect(faultsOfLockFile(lock(packages), '{"overrides":{"peer":"$peer"}}')).toEqual([]);
    expect(faultsOfLockFile(lock({ ...packages, 'node_modules/peer': { ...present, version: '2.9.0' } }))).toEqual([]);
    expect(faultsOfLockFile(lock({ ...packages, 'node_modules/other': { ...present, version: '2.9.0' } }))).toHaveLength(2);
  });

  it('refuses the address of a registry', () => {
    const text = lock({ 'node_modules/a': { ...present, resolved: 'https://registry.example/a/-/a-1.tgz' } });
    expect(faultsOfLockFile(text)).toEqual([expect.stringContaining('names where it was downloaded from')]);
  });

  it('refuses a downloaded package without integrity', () => {
    expect(faultsOfLockFile(lock({ 'node_modules/a': {} }))).toEqual([expect.stringContaining('no integrity')]);
  });
});
