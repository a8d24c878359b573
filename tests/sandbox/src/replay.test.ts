import { describe, expect, test } from 'vitest';
import { deviations, isDeviating } from './replay/deviations.ts';
import { readRecordings, recordingSets } from './replay/recording.ts';
import { replay, scoreOf, showScore } from './replay/replay.ts';
import { sandboxVersions } from './versions.ts';

const recordings = recordingSets.flatMap(readRecordings);

describe('what real servers answered', () => {
  test.for(sandboxVersions)('the sandbox as %s answers alike, listed deviations apart', async (version) => {
    const replayed = await replay(version);
    process.stdout.write(`replay ${showScore(scoreOf(version, replayed))}\n`);
    const unlisted = replayed.filter((item) => item.difference !== undefined && !isDeviating(item.recording.n, version));
    expect(unlisted.map(({ difference, recording }) => `#${recording.n} ${recording.case}\n${difference}`)).toEqual([]);
    const gone = replayed.filter(
      (item) => item.isCompared && item.difference === undefined && isDeviating(item.recording.n, version),
    );
    expect(gone.map(({ recording }) => `#${recording.n} ${recording.case} deviates no longer: take it off the list`)).toEqual([]);
  });

  test('every listed deviation names a recorded call by its case', () => {
    for (const { case: name, n } of deviations) {
      expect(recordings.find((recording) => recording.n === n)?.case).toBe(name);
    }
  });
});
