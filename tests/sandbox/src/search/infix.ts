import type { Collection } from '../store/collection.ts';
import { UNMATCHED_SCORE } from './score.ts';
import type { SearchedField } from './textMatches.ts';

/** Documents with the text somewhere inside a word, in fields that are indexed for it. */
export const matchInfix = (
  collection: Collection,
  fields: readonly SearchedField[],
  text: string,
  matched: Map<string, number>,
) => {
  const scores = new Map<number, bigint>();
  for (const { field, infix } of fields) {
    if (!infix) continue;
    const column = collection.indices.tokens(field);
    const raw = collection.indices.lists(field.name);
    for (const sequence of collection.documents.sequences()) {
      const values = raw.at(sequence) ?? [];
      if (!values.some((value) => typeof value === 'string' && value.toLowerCase().includes(text))) continue;
      scores.set(sequence, UNMATCHED_SCORE);
      for (const tokens of column.at(sequence) ?? []) for (const token of tokens) matched.set(token, token.length);
    }
  }
  return scores;
};
