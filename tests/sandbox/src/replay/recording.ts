import { readFileSync } from 'node:fs';
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
  /** By 29.0, and by every version that `otherVersions` does not name. */
  readonly answer?: RecordedAnswer;
  readonly otherVersions?: Partial<Record<SandboxVersion, RecordedAnswer>>;
}

/** The key the recorded server was started with. */
export const RECORDED_KEY = 'xyz';

const FILE = new URL('../../recordings/search-server.json', import.meta.url);

/** In the order they were made, starting from an empty server. */
export const readRecordings = (): Recording[] => JSON.parse(readFileSync(FILE, 'utf8')) as Recording[];

export const answerFor = (recording: Recording, version: SandboxVersion): RecordedAnswer | undefined =>
  recording.otherVersions?.[version] ?? recording.answer;
