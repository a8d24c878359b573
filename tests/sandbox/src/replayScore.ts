/** Prints how much of what real servers answered the sandbox answers alike; with `--differences`, where it does not. */
import { parseArgs } from 'node:util';
import { isDeviating } from './replay/deviations.ts';
import { replay, scoreOf, showScore } from './replay/replay.ts';
import { isSandboxVersion, sandboxVersions } from './versions.ts';

const { values } = parseArgs({
  options: {
    version: { type: 'string' },
    differences: { type: 'boolean', default: false },
    unanswered: { type: 'boolean', default: false },
  },
});
const wanted = values.version;
const versions = wanted !== undefined && isSandboxVersion(wanted) ? [wanted] : sandboxVersions;
for (const version of versions) {
  const replayed = await replay(version);
  process.stdout.write(`${showScore(scoreOf(version, replayed))}\n`);
  for (const { actual, difference, isCompared, recording } of replayed) {
    const title = `#${recording.n} ${recording.group}: ${recording.case}: ${recording.method} ${recording.path}`;
    if (values.differences && difference !== undefined) {
      const listed = isDeviating(recording.n, version) ? ' (listed)' : '';
      process.stdout.write(`${title}${listed}\n  ${difference}\n`);
    }
    if (values.unanswered && !isCompared) process.stdout.write(`${title}\n  ${actual.status} ${actual.body}\n`);
  }
}
