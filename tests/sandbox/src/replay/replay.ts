import { request } from 'node:http';
import { startSandbox } from '../sandbox.ts';
import type { SandboxVersion } from '../versions.ts';
import { difference } from './compare.ts';
import type { ActualAnswer } from './compare.ts';
import { RECORDED_KEY, answerFor, readRecordings, recordingSets } from './recording.ts';
import type { Recording, RecordingSet } from './recording.ts';

const TIME_OUT_MS = 10_000;

export interface Replayed {
  readonly recording: Recording;
  readonly actual: ActualAnswer;
  /** Undefined where the answer matches, or where there is none to compare with. */
  readonly difference: string | undefined;
  readonly isCompared: boolean;
}

/** Makes one recorded call against the server at `url`; rejects where none is answered in time. */
export const makeCall = (url: string, { body, key, method, path }: Recording): Promise<ActualAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const headers: Record<string, string> = key === undefined ? {} : { 'x-typesense-api-key': key };
    // The path goes out as it was recorded: `new URL` would resolve the dots that are part of an id.
    const sent = request({ hostname, port, method, path: encodeURI(path).replaceAll('%25', '%'), headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const type = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8'), type });
      });
    });
    sent.setTimeout(TIME_OUT_MS, () => sent.destroy(new Error(`${method} ${path} was not answered within ${TIME_OUT_MS} ms`)));
    sent.on('error', reject);
    sent.end(body);
  });

/** Makes the calls of one set, in order, against a new and empty sandbox. */
const replaySet = async (set: RecordingSet, version: SandboxVersion): Promise<Replayed[]> => {
  await using sandbox = await startSandbox({ apiKey: RECORDED_KEY, version });
  const replayed: Replayed[] = [];
  for (const recording of readRecordings(set)) {
    const actual = await makeCall(sandbox.url, recording);
    const expected = answerFor(recording, version);
    replayed.push({
      recording,
      actual,
      difference: expected === undefined ? undefined : difference(expected, actual, set.masked),
      isCompared: expected !== undefined,
    });
  }
  return replayed;
};

/** Makes every call that was recorded for a version. */
export const replay = async (version: SandboxVersion): Promise<Replayed[]> => {
  const sets = recordingSets.filter(({ versions }) => versions.includes(version));
  const replayed: Replayed[] = [];
  for (const set of sets) replayed.push(...(await replaySet(set, version)));
  return replayed;
};

export interface Score {
  readonly version: SandboxVersion;
  readonly compared: number;
  readonly matching: number;
}

export const scoreOf = (version: SandboxVersion, replayed: readonly Replayed[]): Score => {
  const compared = replayed.filter(({ isCompared }) => isCompared);
  return {
    version,
    compared: compared.length,
    matching: compared.filter((item) => item.difference === undefined).length,
  };
};

export const showScore = ({ compared, matching, version }: Score): string =>
  `${version}: ${matching} of ${compared} recorded answers (${((matching / compared) * 100).toFixed(1)} %)`;
