import type { RelevanceRunInfo } from '../../common/relevance.ts';

/** nDCG over runs. */
export interface Trend {
  /** The oldest first; those that had any of the configurations. */
  readonly runs: readonly RelevanceRunInfo[];
  /** One for each configuration, in their order: a value for each run; null where the run did not have it, or measured nothing. */
  readonly lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

/** The course of nDCG of some configurations over the runs of a query set. */
export function trendOf(newestFirst: readonly RelevanceRunInfo[], names: readonly string[]): Trend {
  const runs = newestFirst.toReversed().filter(({ configurations }) => configurations.some(({ name }) => names.includes(name)));
  const lines = names.map((name) => ({
    name,
    values: runs.map(({ configurations }) => configurations.find((one) => one.name === name)?.totals.ndcg ?? null),
  }));
  return { runs, lines };
}
