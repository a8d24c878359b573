/**
 * Asks a real server the calls of a set of recordings, in order, and writes down what it answered. The server has to be new
 * and empty, and its bootstrap key has to be the one the recordings name.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeCall } from './replay/replay.ts';
import type { RecordedAnswer, Recording } from './replay/recording.ts';
import { isSandboxVersion, sandboxVersions } from './versions.ts';

const REFERENCE = '29.0';

const { values } = parseArgs({
  options: { file: { type: 'string' }, url: { type: 'string' }, version: { type: 'string' } },
});
const { file, url, version } = values;
if (file === undefined || url === undefined || version === undefined || !isSandboxVersion(version)) {
  process.stderr.write(`Usage: record.ts --file recordings/NAME.json --url URL --version ${sandboxVersions.join('|')}\n`);
  process.exit(2);
}

const same = (left: RecordedAnswer | undefined, right: RecordedAnswer): boolean => JSON.stringify(left) === JSON.stringify(right);

const recorded: Recording[] = [];
for (const recording of JSON.parse(readFileSync(file, 'utf8')) as Recording[]) {
  await setTimeout(recording.pauseMs ?? 0);
  const { status, body, type } = await makeCall(url, recording);
  const answer: RecordedAnswer = { status, body, type };
  const { otherVersions: { [version]: _, ...others } = {}, ...call } = recording;
  const isReference = version === REFERENCE;
  const differs = !isReference && !same(recording.answer, answer);
  const otherVersions = differs ? { ...others, [version]: answer } : others;
  recorded.push({
    ...call,
    ...(isReference ? { answer } : {}),
    ...(Object.keys(otherVersions).length > 0 ? { otherVersions } : {}),
  });
}
writeFileSync(file, `[\n${recorded.map((recording) => JSON.stringify(recording)).join(',\n')}\n]\n`);
