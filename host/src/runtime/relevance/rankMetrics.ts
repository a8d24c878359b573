import type { RelevanceMetrics } from '../../common/relevance.ts';

/** Grades of a query's judged rows, and how they are counted. */
export interface RankJudgments {
  /** The grade of each judged row, by the text of its key. */
  readonly grades: ReadonlyMap<string, number>;
  /** Hits that are looked at, 1 or more. */
  readonly depth: number;
  /** The lowest grade that counts as relevant, 1 or more. */
  readonly relevantFrom: number;
}

const NOTHING_TO_MEASURE: RelevanceMetrics = { ndcg: null, reciprocalRank: null, precision: null, recall: null };

/**
 * How well hits answer one query. A hit without a judgment counts as not relevant.
 *
 * - nDCG@k: the discounted cumulative gain with the gain `2^grade − 1` and the discount `log2(rank + 1)` (Burges et al., “Learning to Rank using Gradient
 *   Descent”, 2005), divided by that of the best order of all judged rows.
 * - Reciprocal rank: 1 by the rank of the first relevant hit, 0 where none is among the first k (Voorhees, TREC-8 Question Answering Track, 1999).
 * - Precision@k: relevant hits among the first k, divided by k also where fewer were found, as trec_eval counts.
 * - Recall@k: relevant hits among the first k, divided by all rows that were judged relevant.
 *
 * Rows of equal score have the order that the server gave them; there is no averaging over ties.
 *
 * @param keys - texts of the hits' keys, the best hit first
 * @returns nulls where no row was judged relevant
 */
export function rankMetrics(keys: readonly string[], { grades, depth, relevantFrom }: RankJudgments): RelevanceMetrics {
  const judged = [...grades.values()];
  const relevant = judged.filter((grade) => grade >= relevantFrom).length;
  if (relevant === 0) return NOTHING_TO_MEASURE;
  const hits = keys.slice(0, depth).map((key) => grades.get(key) ?? 0);
  const best = judged.sort((a, b) => b - a).slice(0, depth);
  const first = hits.findIndex((grade) => grade >= relevantFrom);
  const found = hits.filter((grade) => grade >= relevantFrom).length;
  return {
    ndcg: discountedGain(hits) / discountedGain(best),
    reciprocalRank: first === -1 ? 0 : 1 / (first + 1),
    precision: found / depth,
    recall: found / relevant,
  };
}

/** @param grades - of the hits, the best hit first */
export function discountedGain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
}

/** How much two lists have in common: members of both, of those of either (Jaccard, 1912). 1 where both are empty. */
export function overlap(first: readonly string[], second: readonly string[]): number {
  const [one, other] = [new Set(first), new Set(second)];
  const either = one.union(other).size;
  return either === 0 ? 1 : one.intersection(other).size / either;
}

/** The mean of the numbers among the metrics; null where there are none. */
export function meanOf(metrics: readonly (number | null)[]): number | null {
  const numbers = metrics.filter((metric) => metric !== null);
  return numbers.length === 0 ? null : numbers.reduce((sum, metric) => sum + metric, 0) / numbers.length;
}
