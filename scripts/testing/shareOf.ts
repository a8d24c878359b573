/** Set by `npm run test:long`, which tries every case of every sweep. */
export const WHOLE_SWEEPS = 'TABULARIUM_WHOLE_SWEEPS';

/**
 * The cases of a sweep that `npm test` tries: a sweep goes over so many combinations that each of their dimensions is covered by a part of them.
 * `npm run test:long` tries them all.
 *
 * @param of - how many shares there are; the share has each case whose number leaves the same rest
 * @param at - which share; tests that try the same cases in other ways have different ones, so that together they try each case
 */
export function shareOf<T>(cases: readonly T[], { of, at }: { readonly of: number; readonly at: number }): readonly T[] {
  if (process.env[WHOLE_SWEEPS] === '1') return cases;
  return cases.filter((_, index) => index % of === at % of);
}
