import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deviations, isDeviating } from './replay/deviations.ts';
import { readRecordings, recordingSets } from './replay/recording.ts';
import { replay, scoreOf, showScore } from './replay/replay.ts';
import { sandboxVersions } from './versions.ts';

const recordings = recordingSets.flatMap(readRecordings);

const README = new URL('../README.md', import.meta.url);
const ROW = /^\| (\d+\.\d) +\| ([\d,]+) +\| ([\d,]+) +\| ([\d,]+) +\|$/gm;

/** The counts in the documentation: for each version the calls made, the answers compared and those alike. */
const documented = (): Map<string, number[]> =>
  new Map(
    [...readFileSync(README, 'utf8').matchAll(ROW)].map(([, version = '', ...counts]) => [
      version,
      counts.map((count) => Number(count.replaceAll(',', ''))),
    ]),
  );

describe('what real servers answered', () => {
  test.for(sandboxVersions)('the sandbox as %s answers alike, listed deviations apart', async (version) => {
    const replayed = await replay(version);
    const score = scoreOf(version, replayed);
    process.stdout.write(`replay ${showScore(score)}\n`);
    const unlisted = replayed.filter((item) => item.difference !== undefined && !isDeviating(item.recording.n, version));
    expect(unlisted.map(({ difference, recording }) => `#${recording.n} ${recording.case}\n${difference}`)).toEqual([]);
    const gone = replayed.filter(
      (item) => item.isCompared && item.difference === undefined && isDeviating(item.recording.n, version),
    );
    expect(documented().get(version)).toEqual([replayed.length, score.compared, score.matching]);
    expect(gone.map(({ recording }) => `#${recording.n} ${recording.case} deviates no longer: take it off the list`)).toEqual([]);
  });

  test('the documentation counts every version and no other', () => {
    expect([...documented().keys()]).toEqual([...sandboxVersions]);
  });

  test('every listed deviation names a recorded call by its case', () => {
    for (const { case: name, n } of deviations) {
      expect(recordings.find((recording) => recording.n === n)?.case).toBe(name);
    }
  });
});
