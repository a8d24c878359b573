import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Machine } from './machine.test-helper.ts';

// The machine of the other tests of this folder: it has the person's way to the network, and gets no package that a lock file doesn't name.

let folder: string;
let machine: Machine | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-person-'));
});
afterEach(async () => {
  await machine?.remove();
  machine = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** The machine of a person with these variables and a cache of npm that is empty. */
function machineOf(more: NodeJS.ProcessEnv = {}): Machine {
  const cache = join(folder, 'cache');
  mkdirSync(cache, { recursive: true });
  const { PATH } = process.env;
  return (machine = new Machine({ PATH, HOME: folder, npm_config_cache: cache, ...more }));
}

/** An empty project. */
function project(): string {
  const at = join(folder, 'project');
  mkdirSync(at);
  writeFileSync(join(at, 'package.json'), '{"name":"p","private":true}');
  return at;
}

describe('the environment of an installation under test', () => {
  it('has the way to the network of the person who runs the tests', () => {
    const { env } = machineOf({
      HTTPS_PROXY: 'http://proxy.example:3128',
      NO_PROXY: 'intern.example',
      NODE_EXTRA_CA_CERTS: '/etc/own-authority.pem',
      npm_config_registry: 'https://mirror.example/',
      npm_config_https_proxy: 'http://proxy.example:3128',
      npm_config_cafile: '/etc/own-authority.pem',
      npm_config_strict_ssl: 'true',
      'npm_config_//mirror.example/:_authToken': 'token',
    });
    expect(env).toMatchObject({
      HTTPS_PROXY: 'http://proxy.example:3128',
      NODE_EXTRA_CA_CERTS: '/etc/own-authority.pem',
      npm_config_registry: 'https://mirror.example/',
      npm_config_https_proxy: 'http://proxy.example:3128',
      npm_config_cafile: '/etc/own-authority.pem',
      npm_config_strict_ssl: 'true',
      'npm_config_//mirror.example/:_authToken': 'token',
    });
    // Registries of tests are on this machine, and npm would ask the proxy for them.
    for (const name of ['NO_PROXY', 'no_proxy', 'npm_config_noproxy'])
      expect(env[name]).toBe('intern.example,127.0.0.1,localhost,::1');
  });

  it('has nothing else of npm, of the tests or of ours', () => {
    const { env, home } = machineOf({
      NODE_OPTIONS: '--no-warnings',
      TABULARIUM_HOME: '/somewhere',
      VITEST: 'true',
      XDG_DATA_HOME: '/somewhere',
      npm_config_prefix: '/somewhere',
      npm_config_ignore_scripts: 'true',
      npm_lifecycle_event: 'test',
      npm_config_noproxy: '',
    });
    for (const name of [
      ...['NODE_OPTIONS', 'TABULARIUM_HOME', 'VITEST', 'XDG_DATA_HOME'],
      ...['npm_config_prefix', 'npm_config_ignore_scripts', 'npm_lifecycle_event'],
    ])
      expect(env).not.toHaveProperty(name);
    expect(env['HOME']).toBe(home);
    expect(env['npm_config_noproxy']).toBe('127.0.0.1,localhost,::1');
  });

  it('takes of the npm settings in the home of the person what the network needs, beside those of the test', () => {
    const settings = [
      '; of the company',
      'registry = https://mirror.example/',
      '//mirror.example/:_authToken=token',
      '@acme:registry=https://acme.example/',
      'https-proxy=http://proxy.example:3128',
      'cafile=/etc/own-authority.pem',
      'prefix=/somewhere',
      'ignore-scripts=true',
      'omit=optional',
    ];
    writeFileSync(join(folder, '.npmrc'), settings.join('\n'));
    const made = machineOf();
    made.npmSettings(['@tabularium:registry=http://127.0.0.1:1/']);
    expect(readFileSync(join(made.home, '.npmrc'), 'utf8')).toBe(
      [...settings.slice(1, 6), '@tabularium:registry=http://127.0.0.1:1/', ''].join('\n'),
    );
  });
});

describe('npm on that machine', () => {
  it('resolves to the versions of the lock file, and asks their registry for archives alone', async () => {
    const asked: string[] = [];
    const archives = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => archives.listen(0, '127.0.0.1', resolve));
    const { port } = archives.address() as AddressInfo;
    try {
      const locked = await machineOf().lockPackages([], `http://127.0.0.1:${port}/`);
      await expect(machine?.npm(['install', 'semver@>=7'], project())).rejects.toThrow(/404/);
      const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
        packages: Record<string, { version?: string }>;
      };
      const versions = Object.entries(packages).filter(([place]) => place.endsWith('node_modules/semver'));
      const newest = versions
        .map(([, { version = '' }]) => version)
        .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
        .at(-1);
      expect(new Set(asked)).toEqual(new Set([`/semver/-/semver-${newest}.tgz`]));
      expect(locked.unknown).toEqual([]);
    } finally {
      archives.closeAllConnections();
      await new Promise((resolve) => archives.close(resolve));
    }
  });

  it('gets no package that no lock file names', async () => {
    const locked = await machineOf().lockPackages([], 'http://127.0.0.1:9/');
    await expect(machine?.npm(['install', 'left-pad'], project())).rejects.toThrow(/No lock file of this repository has/);
    expect(locked.unknown).toEqual(['left-pad']);
  });

  it('says that it has no network where it has none, and does not wait for it', async () => {
    await machineOf({ npm_config_fetch_retries: '0' }).lockPackages([], 'http://127.0.0.1:9/');
    await expect(machine?.npm(['install', 'semver@>=7'], project())).rejects.toThrow(
      /downloads packages that the cache of npm lacks, and their registry could not be reached/,
    );
  });
});
