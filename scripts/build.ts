import { parseArgs } from 'node:util';
import { buildStale } from './build/buildStale.ts';
import { allTargets } from './build/targets.ts';
import { root, workFolder } from './paths.ts';

const usage = `Usage: node scripts/build.ts [--quiet] [--force] [target...]

Builds what is stale: all targets, or the named ones. The names of groups (sdk, host, drivers) stand
for all their targets.
  --quiet   print nothing unless something fails
  --force   build whether stale or not
  --list    print the targets with their groups`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quiet: { type: 'boolean', default: false },
    force: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function chooseTargets(): ReturnType<typeof allTargets> {
  const all = allTargets(root);
  if (positionals.length === 0) return all;
  return positionals.flatMap((wanted) => {
    const matches = all.filter(({ name, group }) => name === wanted || group === wanted);
    if (matches.length === 0)
      throw new Error(`There is no target "${wanted}". Targets: ${all.map(({ name }) => name).join(', ')}.`);
    return matches;
  });
}

// Everything goes to stderr: the launcher of the MCP bridge builds too, and its stdout belongs to the protocol.
const print = (line: string): void => void process.stderr.write(`${line}\n`);

try {
  if (values.help) {
    print(usage);
  } else if (values.list) {
    for (const { name, group } of allTargets(root)) process.stdout.write(`${group}: ${name}\n`);
  } else {
    const started = performance.now();
    const built = await buildStale({
      root,
      workFolder,
      targets: chooseTargets(),
      force: values.force,
      log: values.quiet ? () => undefined : print,
    });
    if (!values.quiet && built.length === 0) print(`nothing is stale (${Math.round(performance.now() - started)} ms)`);
  }
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
