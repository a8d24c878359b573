import { estimateTokens } from './tokenEstimate.ts';

/** Tokens of a list in an answer, about; what is around it comes on top. */
const LIST_TOKENS = 10_000;

/** The first entries of a list that an answer can hold: one at least. */
export function fittingEntries<T>(entries: readonly T[], maxTokens = LIST_TOKENS): readonly T[] {
  let tokens = 0;
  for (const [index, entry] of entries.entries()) {
    tokens += estimateTokens(JSON.stringify(entry)) + 1;
    if (tokens > maxTokens && index > 0) return entries.slice(0, index);
  }
  return entries;
}
