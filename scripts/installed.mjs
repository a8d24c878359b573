// Runs after "npm ci" and before each npm script that needs the packages. JavaScript, and nothing imported but Node's own: here runs the machine's
// Node, which may be too old for TypeScript and would end with a stack that names neither reason nor remedy.
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { URL, fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = join(root, 'node_modules');

/** The folder of the package in node_modules that has Node for this machine, and Node's path in it; undefined where it isn't installed. */
function pinnedNode() {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of Object.keys(optionalDependencies)) {
    const file = join(packages, name, 'package.json');
    if (!/^node-(?:bin-)?(?:linux|darwin|win)-/.test(name) || !existsSync(file)) continue;
    const { bin } = JSON.parse(readFileSync(file, 'utf8'));
    const path = typeof bin === 'string' ? bin : bin?.node;
    if (path !== undefined && existsSync(join(packages, name, path))) return { name, path };
  }
  return undefined;
}

/**
 * Makes `node` in node_modules/.bin, which comes first in the PATH of npm scripts. npm 10, which is part of Node 20 and 22, removes the link again together with
 * the packages of the other platforms (github.com/npm/cli/issues/4362), and scripts would run on the machine's Node.
 */
function linkNode(name, path) {
  const folder = join(packages, '.bin');
  const ofWindows = process.platform === 'win32';
  const link = join(folder, ofWindows ? 'node.exe' : 'node');
  if (existsSync(link) || (ofWindows && existsSync(join(folder, 'node.cmd')))) return;
  mkdirSync(folder, { recursive: true });
  // A link that leads nowhere doesn't exist either.
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) rmSync(link);
  // A symbolic link needs a permission on Windows that few have.
  if (ofWindows) linkSync(join(packages, name, path), link);
  else symlinkSync(join('..', name, path), link);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

if (existsSync(join(packages, '.package-lock.json'))) {
  const pinned = pinnedNode();
  const needed = Number(readFileSync(join(root, '.nvmrc'), 'utf8').split('.')[0]);
  if (pinned !== undefined) linkNode(pinned.name, pinned.path);
  else if (Number(process.versions.node.split('.')[0]) < needed) {
    fail(
      `The scripts of this repository need Node ${needed}, and its package for ${process.platform} on ${process.arch} is not installed; this is Node ${process.versions.node}. Run "npm ci" without --omit=optional, or with Node ${needed} or newer.`,
    );
  }
} else fail('The packages of this repository are not installed. Run "npm ci" first, then this again.');
