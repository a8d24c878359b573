import { number } from './params.ts';
import type { SearchParams } from './params.ts';

export const MAX_TYPOS = 2;
const TYPO_COST = 2;
const PREFIX_COST = 1;
const MIN_LENGTH_ONE_TYPO = 4;
const MIN_LENGTH_TWO_TYPOS = 7;

export interface TypoRules {
  readonly allowed: number;
  readonly lengthForOne: number;
  readonly lengthForTwo: number;
}

/**
 * How far a word is from every start of another, the whole of it last: letters that are wrong, missing, too many or swapped with
 * their neighbour.
 */
const prefixDistances = (left: string, right: string): number[] => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= right.length; at += 1) {
      const replaced = (last[at - 1] ?? 0) + (left[row - 1] === right[at - 1] ? 0 : 1);
      const isSwapped = row > 1 && at > 1 && left[row - 1] === right[at - 2] && left[row - 2] === right[at - 1];
      const swapped = isSwapped ? (beforeLast[at - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, swapped, (last[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1));
    }
    beforeLast = last;
    last = current;
  }
  return last;
};

/** More than the limit where the words are further apart. */
export const editDistance = (left: string, right: string, limit: number): number =>
  Math.abs(left.length - right.length) > limit ? limit + 1 : (prefixDistances(left, right)[right.length] ?? limit + 1);

export interface Candidate {
  readonly cost: number;
  readonly typed: number;
}

/** A word that is near as a whole costs its typos; one whose start is near costs as much as a start does on top. */
const nearest = (typed: string, token: string, prefix: boolean, typos: number): Candidate | undefined => {
  const distances = prefixDistances(typed, token);
  const whole = distances[token.length] ?? typos + 1;
  if (whole <= typos) return { cost: TYPO_COST * whole, typed: token.length };
  const start = prefix ? Math.min(...distances) : typos + 1;
  return start <= typos ? { cost: TYPO_COST * start + PREFIX_COST, typed: distances.lastIndexOf(start) } : undefined;
};

/** The tokens of a field that a typed one may stand for, with what each costs. */
export const candidatesOf = (
  vocabulary: Iterable<string>,
  typed: string,
  prefix: boolean,
  typos: number,
): Map<string, Candidate> => {
  const found = new Map<string, Candidate>();
  for (const token of vocabulary) {
    if (token === typed) found.set(token, { cost: 0, typed: token.length });
    else if (prefix && token.startsWith(typed)) found.set(token, { cost: PREFIX_COST, typed: typed.length });
    else if (typos > 0 && (prefix || Math.abs(typed.length - token.length) <= typos) && token.length >= typed.length - typos) {
      const near = nearest(typed, token, prefix, typos);
      if (near !== undefined) found.set(token, near);
    }
  }
  return found;
};

/** How many typos a word may have: none while it is short, and never more than allowed. */
export const typosFor = (token: string, { allowed, lengthForOne, lengthForTwo }: TypoRules): number => {
  if (token.length < lengthForOne) return 0;
  return Math.min(allowed, token.length < lengthForTwo ? 1 : MAX_TYPOS);
};

export const readTypoRules = (params: SearchParams, allowed: number): TypoRules => ({
  allowed: Math.min(MAX_TYPOS, allowed),
  lengthForOne: number(params, 'min_len_1typo', MIN_LENGTH_ONE_TYPO),
  lengthForTwo: number(params, 'min_len_2typo', MIN_LENGTH_TWO_TYPOS),
});
