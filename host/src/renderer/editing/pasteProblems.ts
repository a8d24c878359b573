import type { PasteFault, PastePlan } from './pastePlan.ts';

/** Fields of one column that can't be staged for one reason. */
export interface PasteProblem {
  /** Empty for fields without a column. */
  readonly column: string;
  readonly reason: string;
  readonly count: number;
  readonly first: PastePlace;
}

/** A field of the preview, counted from 0. */
export interface PastePlace {
  readonly line: number;
  readonly place: number;
}

/** The problems of a plan by column and reason, the most frequent first. @param textOf - a reason as a person reads it */
export function pasteProblems(plan: Pick<PastePlan, 'rows'>, textOf: (fault: PasteFault) => string): readonly PasteProblem[] {
  const found = new Map<string, PasteProblem>();
  for (const [line, { cells }] of plan.rows.entries()) {
    for (const [place, { fault, column = '' }] of cells.entries()) {
      if (fault === undefined) continue;
      const reason = textOf(fault);
      const key = JSON.stringify([column, reason]);
      const before = found.get(key);
      found.set(
        key,
        before === undefined ? { column, reason, count: 1, first: { line, place } } : { ...before, count: before.count + 1 },
      );
    }
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count);
}

/** The field with a problem that follows a place, line by line; after the last one the first. Undefined where there is none. */
export function nextProblem(plan: Pick<PastePlan, 'rows'>, from: PastePlace | undefined): PastePlace | undefined {
  const after = from ?? { line: 0, place: -1 };
  const count = plan.rows.length;
  for (let step = 0; step <= count; step += 1) {
    const line = (after.line + step) % Math.max(1, count);
    const cells = plan.rows[line]?.cells ?? [];
    const begin = step === 0 ? after.place + 1 : 0;
    const place = cells.findIndex(({ fault }, at) => at >= begin && fault !== undefined);
    if (place !== -1) return { line, place };
  }
  return undefined;
}
