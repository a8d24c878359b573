import { readFileSync } from 'node:fs';
import { sandboxVersions } from '../versions.ts';
import type { SandboxVersion } from '../versions.ts';

export interface RecordedAnswer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

/** One call to a real server. Calls without an answer are made all the same, since later ones build on them. */
export interface Recording {
  readonly n: number;
  readonly group: string;
  readonly case: string;
  readonly method: string;
  readonly path: string;
  readonly key?: string;
  readonly body?: string;
  /** The condition that the call waits for on a real server, which writes some things later; a replay doesn't wait. */
  readonly pauseMs?: number;
  /** By 29.0, and by every version of the set that `otherVersions` does not name. */
  readonly answer?: RecordedAnswer;
  readonly otherVersions?: Partial<Record<SandboxVersion, RecordedAnswer>>;
}

/** The key the recorded server was started with. */
export const RECORDED_KEY = 'xyz';

/** Calls that were made one after the other, starting from an empty server. */
export interface RecordingSet {
  readonly file: URL;
  /** The versions that were asked. */
  readonly versions: readonly SandboxVersion[];
  /** Members that are not compared, beside those that never are. */
  readonly masked?: readonly string[];
}

const fileOf = (name: string): URL => new URL(`../../recordings/${name}.json`, import.meta.url);

export const recordingSets: readonly RecordingSet[] = [
  { file: fileOf('search-server'), versions: sandboxVersions },
  { file: fileOf('searches-that-act'), versions: ['29.0', '30.0'] },
  { file: fileOf('ranked-search'), versions: ['29.0', '30.0'] },
  { file: fileOf('bad-requests'), versions: ['29.0', '30.0'] },
  { file: fileOf('operations'), versions: ['29.0', '30.0'] },
  // Made with `--enable-search-analytics`, with which the server says something else in `first_q`.
  { file: fileOf('analytics'), versions: ['29.0', '30.0'], masked: ['first_q'] },
];

export const readRecordings = ({ file }: RecordingSet): Recording[] => JSON.parse(readFileSync(file, 'utf8')) as Recording[];

export const answerFor = (recording: Recording, version: SandboxVersion): RecordedAnswer | undefined =>
  recording.otherVersions?.[version] ?? recording.answer;
