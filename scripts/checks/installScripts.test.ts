import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { OLDER_SERVERS_FOLDER } from '../postgres/olderServers.ts';
import { faultsOfInstallScripts } from './installScripts.ts';

const lock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages });
const decided = (allowScripts?: object): string => JSON.stringify({ name: 'p', allowScripts });
const wanting = {
  'node_modules/a/node_modules/@s/b': { hasInstallScript: true },
  'node_modules/c': {},
  host: { hasInstallScript: true },
};

describe('install scripts', () => {
  it.each([root, OLDER_SERVERS_FOLDER])('are decided about in this repository, in %s', (folder) => {
    const [lockText, packageText] = ['package-lock.json', 'package.json'].map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(faultsOfInstallScripts(lockText ?? '', packageText ?? '')).toEqual([]);
  });

  it('of a package that nothing decides about are named', () => {
    const faults = faultsOfInstallScripts(lock(wanting), decided());
    expect(faults).toEqual([expect.stringContaining('@s/b runs a program when it is installed')]);
    expect(faultsOfInstallScripts(lock(wanting), decided({ '@s/b': false }))).toEqual([]);
  });

  it('of a package under another name are those of the package', () => {
    const aliased = { 'node_modules/alias': { name: '@s/b', hasInstallScript: true } };
    expect(faultsOfInstallScripts(lock(aliased), decided({ '@s/b': true }))).toEqual([]);
  });

  it('that are decided about and gone are named, too', () => {
    expect(faultsOfInstallScripts(lock({}), decided({ gone: false }))).toEqual([expect.stringContaining('names gone')]);
  });
});
