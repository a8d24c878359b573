import { existsSync, globSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { startVerdaccio } from '@tabularium/registry';
import type { VerdaccioServer } from '@tabularium/registry';
import { Visitor, parseSync } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { startTourWorld, takeTour } from './installedTour.ts';
import { Machine } from './machine.test-helper.ts';

// The host as a user gets it: packed, installed in an empty folder and globally from a registry, with the machine's own Node and an empty home.

const machine = new Machine();
const hostPackage = JSON.parse(readFileSync(join(root, 'host/package.json'), 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
};
/** An install downloads 52 MB where nothing is cached; after "npm ci" everything is, and it takes 15 s on two cores. */
const installMilliseconds = 300_000;

let tarball: string;
let packedFiles: string[];
let npmRegistry: VerdaccioServer;

beforeAll(async () => {
  await buildStale({ root, workFolder, targets: allTargets(root).filter(({ group }) => group === 'host'), log: () => undefined });
  ({ tarball, files: packedFiles } = await machine.pack(join(root, 'host')));
  npmRegistry = await startVerdaccio({ catalogueFile: () => undefined, stateFolder: join(machine.folder, 'verdaccio'), port: 0 });
  const { host } = new URL(npmRegistry.url);
  machine.npmSettings([`@tabularium:registry=${npmRegistry.url}`, `//${host}/:_authToken=${npmRegistry.token}`]);
  await machine.lockPackages();
  await machine.npm(['publish', tarball]);
});

afterAll(async () => {
  await machine.remove();
  await npmRegistry?.close();
});

/** The imports of a bundle, static or late, besides its own files. */
function importsOf(file: string): string[] {
  const { program, module } = parseSync(file, readFileSync(file, 'utf8'));
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
  ];
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type === 'Identifier' && callee.name === 'require' && first?.type === 'Literal')
        specifiers.push(String(first.value));
    },
    ImportExpression({ source }) {
      if (source.type === 'Literal' && typeof source.value === 'string') specifiers.push(source.value);
    },
  }).visit(program);
  return specifiers.filter((specifier) => specifier !== undefined).filter((specifier) => !specifier.startsWith('.'));
}

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

describe('the packed host', () => {
  it('holds the launchers, the programs, the window and the catalogue, and no sources', () => {
    for (const file of [
      'bin/launch.mjs',
      'bin/tabularium.mjs',
      'bin/tabularium-mcp.mjs',
      'catalogue/first-party.json',
      'LICENSE',
    ]) {
      expect(packedFiles).toContain(file);
    }
    for (const file of [
      'sbom.cdx.json',
      'THIRD-PARTY-NOTICES.txt',
      'main.js',
      'driver-process.cjs',
      'driver-launcher.cjs',
      'electron/main.js',
      'electron/preload.cjs',
      'renderer/index.html',
      'documentation/index.html',
      'documentation/assets/search.json',
      'documentation/guide/window/images/grid.png',
    ]) {
      expect(packedFiles).toContain(`dist/${file}`);
    }
    expect(packedFiles.filter((file) => /\.tsx?$|\.test\b|(^|\/)src\//.test(file))).toEqual([]);
  });

  it('imports nothing that it does not bring along', () => {
    const allowed = [...Object.keys(hostPackage.dependencies), 'electron'];
    const files = globSync('{main.js,electron/main.js,chunks/*.js}', { cwd: join(root, 'host/dist') });
    const imported = files
      .flatMap((file) => importsOf(join(root, 'host/dist', file)))
      .filter((specifier) => !isBuiltin(specifier));
    expect(new Set(imported.map(packageOf))).toEqual(new Set(allowed));
  });

  it('has programs of one file that import nothing', () => {
    for (const name of ['driver-process.cjs', 'driver-launcher.cjs', 'bridge.cjs']) {
      const file = join(root, 'host/dist', name);
      if (existsSync(file))
        expect(
          importsOf(file).filter((specifier) => !isBuiltin(specifier)),
          name,
        ).toEqual([]);
    }
  });

  it('has a window without inline scripts', () => {
    const html = readFileSync(join(root, 'host/dist/renderer/index.html'), 'utf8');
    const scripts = [...html.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes, content] of scripts) {
      expect(attributes).toContain(' src="./');
      expect(content?.trim()).toBe('');
    }
  });
});

describe.each(['local', 'global'])('the installed host (%s)', (kind) => {
  const prefix = join(machine.folder, kind);
  const command = join(prefix, kind === 'local' ? 'node_modules/.bin/tabularium' : 'bin/tabularium');

  beforeAll(async () => {
    mkdirSync(prefix);
    const words = kind === 'global' ? ['--global', '@tabularium/host'] : [tarball];
    await machine.npm(['install', '--prefix', prefix, ...words], prefix);
  }, installMilliseconds);

  it('runs under the Node of the machine', async () => {
    const ended = await machine.run(command, ['--version']);
    expect(ended).toMatchObject({ code: 0, stdout: `${hostPackage.version}\n`, stderr: '' });
  });

  it('exposes the bridge, which runs on the Node of the machine', async () => {
    const ended = await machine.run(`${command}-mcp`, [], { input: 'nonsense\n' });
    expect(ended).toMatchObject({ code: 0 });
    expect(JSON.parse(ended.stdout)).toMatchObject({ jsonrpc: '2.0', error: { code: -32_700, data: { layer: 'transport' } } });
    expect(ended.stderr).toMatch(/^tabularium-mcp: transport: Parse error/);
  });

  it('starts on Node 26', async () => {
    const ended = await machine.run(command, ['--help'], {
      env: { NODE_OPTIONS: '--import=data:text/javascript,console.error(process.version)' },
    });
    expect(ended.stderr.trim().split('\n').at(-1)).toMatch(/^v26\./);
  });
});

describe('the host of the registry', () => {
  it('serves, gets the driver of a connection, and answers commands and AI clients, in an empty home', async () => {
    const bin = join(machine.folder, 'global', 'bin');
    await using world = await startTourWorld(machine.folder);
    await takeTour(
      {
        machine,
        command: join(bin, 'tabularium'),
        bridge: join(bin, 'tabularium-mcp'),
        env: { TABULARIUM_REGISTER_URL: 'never' },
      },
      world,
      hostPackage.version,
    );
    expect(readdirSync(join(machine.home, '.local/share'))).toEqual(['tabularium']);
  });
});

describe('in the repository', () => {
  it('runs from any folder, and prints nothing but its answer', async () => {
    const ended = await machine.run(join(root, 'node_modules/.bin/tabularium'), ['--version'], { cwd: machine.home });
    expect(ended).toMatchObject({ code: 0, stdout: `${hostPackage.version}\n` });
  });
});
