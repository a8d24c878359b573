import type { SandboxVersion } from '../versions.ts';

export interface Deviation {
  readonly n: number;
  readonly case: string;
  /** Every version, where none is named. */
  readonly versions?: readonly SandboxVersion[];
  readonly reason: string;
}

/** The recorded calls the sandbox answers differently, all of them, with the reason. */
export const deviations: readonly Deviation[] = [];

export const isDeviating = (n: number, version: SandboxVersion): boolean =>
  deviations.some((deviation) => deviation.n === n && (deviation.versions?.includes(version) ?? true));
