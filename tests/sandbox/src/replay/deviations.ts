import type { SandboxVersion } from '../versions.ts';

export interface Deviation {
  readonly n: number;
  readonly case: string;
  /** Every version, where none is named. */
  readonly versions?: readonly SandboxVersion[];
  readonly reason: string;
}

/** The recorded calls the sandbox answers differently, all of them, with the reason. */
export const deviations: readonly Deviation[] = [
  ...['debug', 'debug, key as query parameter'].map((name, at) => ({
    n: at + 1,
    case: name,
    versions: ['30.0' as const],
    reason: 'The server that was asked was built before 30.0 was released and calls itself 30.0-dev.',
  })),
  {
    n: 15,
    case: 'CORS preflight',
    versions: ['30.0'],
    reason: 'The server that was asked was started without `--enable-cors`, with which the others answered.',
  },
  {
    n: 576,
    case: 'stats.json after load',
    versions: ['30.0'],
    reason: 'The server that was asked had been idle for longer than the ten seconds its figures cover.',
  },
];

export const isDeviating = (n: number, version: SandboxVersion): boolean =>
  deviations.some((deviation) => deviation.n === n && (deviation.versions?.includes(version) ?? true));
