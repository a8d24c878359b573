import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale } from './build/buildStale.ts';
import { allTargets } from './build/targets.ts';
import { layOut } from './package/layOut.ts';
import { PLATFORM_NAMES, platformOf } from './package/platforms.ts';
import { root, workFolder } from './paths.ts';

const usage = `Usage: npm run package -- [--output FOLDER] [platform...]

Lays out the application in dist/package/<platform>: the host with all it needs to run, the bundled Node, and the bridge as an executable.
Without a platform: for this one. Platforms: ${PLATFORM_NAMES.join(', ')}.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string', default: join(root, 'dist', 'package') }, help: { type: 'boolean', default: false } },
});

const print = (line: string): void => void process.stderr.write(`${line}\n`);

try {
  if (values.help) {
    print(usage);
  } else {
    const names = positionals.length === 0 ? [`${process.platform}-${process.arch}`] : positionals;
    const platforms = names.map(platformOf);
    await buildStale({ root, workFolder, targets: allTargets(root).filter(({ group }) => group === 'host'), log: print });
    for (const platform of platforms) {
      const laidOut = await layOut({
        root,
        platform,
        output: join(values.output, platform.name),
        cache: join(root, '.local', 'package-cache'),
        log: (line) => print(`${platform.name}: ${line}`),
      });
      process.stdout.write(`${JSON.stringify(laidOut)}\n`);
      for (const line of laidOut.missing) print(`${platform.name}: ${line}`);
    }
  }
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
