/** The positions of the parts of a text match within its score. */
export const FIELD_SCORE_BIT = 11n;
export const WEIGHT_BIT = 3n;
export const TOKENS_BIT = 59n;
export const COST_BIT = 24n;
export const MAX_COST = 255;

/** The score that a real server gives a document for which it looked up no token of the query. */
export const UNMATCHED_SCORE = 100n;

const MASK_BYTE = 0xffn;
const MASK_FIELDS = 7n;
const MASK_FIELD_SCORE = (1n << 48n) - 1n;

export interface ScoreParts {
  readonly bestFieldScore: bigint;
  readonly bestFieldWeight: number;
  readonly fieldsMatched: number;
  readonly tokensMatched: number;
  readonly typoPrefixScore: number;
}

export const scoreParts = (score: bigint): ScoreParts => {
  const bestFieldScore = (score >> FIELD_SCORE_BIT) & MASK_FIELD_SCORE;
  return {
    bestFieldScore,
    bestFieldWeight: Number((score >> WEIGHT_BIT) & MASK_BYTE),
    fieldsMatched: Number(score & MASK_FIELDS),
    tokensMatched: Number(score >> TOKENS_BIT),
    typoPrefixScore: MAX_COST - Number((bestFieldScore >> COST_BIT) & MASK_BYTE),
  };
};
