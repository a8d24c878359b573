import type { PlanNode } from '@tabularium/sdk';

/** An estimate that is off by less says nothing: the planner's choice would be the same. */
const NOTABLE_FACTOR = 10;

/** By how much the actual rows of a step differ from its estimate, where that is worth a look. */
export function misestimate({
  estimatedRows,
  actualRows,
}: Pick<PlanNode, 'estimatedRows' | 'actualRows'>): { readonly is: 'more' | 'fewer'; readonly factor: number } | undefined {
  if (estimatedRows === undefined || actualRows === undefined) return undefined;
  // No planner estimates fewer than one row.
  const [expected, found] = [Math.max(1, estimatedRows), Math.max(1, actualRows)];
  const factor = Math.max(expected / found, found / expected);
  if (factor < NOTABLE_FACTOR) return undefined;
  return { is: found > expected ? 'more' : 'fewer', factor: Math.round(factor) };
}
