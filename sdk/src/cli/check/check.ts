/** One thing that was looked at. */
export interface Check {
  readonly id: string;
  /** The subject of the check, in a few words. */
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** The findings, a sentence each. */
  readonly findings: readonly string[];
  /** Advice for a check that failed. */
  readonly fix?: string;
}

export function passed(id: string, title: string, ...findings: readonly string[]): Check {
  return { id, title, outcome: 'passed', findings };
}

export function failed(id: string, title: string, findings: readonly string[], fix: string): Check {
  return { id, title, outcome: 'failed', findings, fix };
}

export function skipped(id: string, title: string, ...findings: readonly string[]): Check {
  return { id, title, outcome: 'skipped', findings };
}

/** Passed when nothing was found that is wrong. */
export function judged(
  id: string,
  title: string,
  problems: readonly string[],
  fix: string,
  ...notices: readonly string[]
): Check {
  return problems.length === 0 ? passed(id, title, ...notices) : failed(id, title, problems, fix);
}
