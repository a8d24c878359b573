#!/usr/bin/env node
// The bridge between an MCP client and the application. It runs in this process, on whatever Node the client has (20 or newer): a second
// Node would cost a client twice the memory and the time.

const neededMajor = 20;

function fail(sentence) {
  process.stderr.write('tabularium-mcp: ' + sentence + '\n');
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) < neededMajor) {
  fail(
    'The bridge needs Node ' +
      neededMajor +
      ' or newer, and this is Node ' +
      process.version +
      ' (' +
      process.execPath +
      '). Install a newer Node, or have the client start the bridge with one: set "command" to its path and "args" to ["' +
      process.argv[1] +
      '"].',
  );
}
// Required and not imported: importing one of Node's modules by name has Node read all that it exports, which takes longer than all else here.
const { createRequire } = process.getBuiltinModule?.('node:module') ?? (await import('node:module'));
const require = createRequire(import.meta.url);
const { existsSync, readdirSync, statSync, utimesSync } = require('node:fs');
const { dirname, join } = require('node:path');
const hostFolder = dirname(dirname(require('node:url').fileURLToPath(import.meta.url)));
const program = join(hostFolder, 'dist', 'bridge.cjs');
const source = join(hostFolder, 'src', 'bridge');

/** In the repository: whether the program is older than what it is made of. Not by content: a client waits. */
function isStale() {
  if (!existsSync(source)) return false;
  if (!existsSync(program)) return true;
  const built = statSync(program).mtimeMs;
  return readdirSync(source).some((name) => !name.includes('.test') && statSync(join(source, name)).mtimeMs > built);
}

if (isStale()) {
  const { buildStale } = await import('./launch.mjs');
  // The time before the build: a source that changes during the build is newer.
  const checked = new Date();
  buildStale(['bridge']);
  // The build compares content, so it leaves the program alone when a source was only touched. The next start need not ask it again.
  if (existsSync(program)) utimesSync(program, checked, checked);
}
if (!existsSync(program)) fail('The program ' + program + ' is missing. Install the package @tabularium/host again.');
require(program);
