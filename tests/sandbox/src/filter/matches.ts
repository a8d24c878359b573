import type { NumberRange } from './syntax.ts';

export const matchesRange = (value: number | bigint, { comparator, from, to }: NumberRange): boolean => {
  switch (comparator) {
    case '=':
      // Orders compare a bigint with a double by value, which `===` would not.
      return value >= from && value <= from;
    case '!=':
      return value < from || value > from;
    case '<':
      return value < from;
    case '<=':
      return value <= from;
    case '>':
      return value > from;
    case '>=':
      return value >= from;
    default:
      return value >= from && value <= to;
  }
};

/** The words of a filter's value; of a prefix the last may go on. */
export interface Wanted {
  readonly tokens: readonly string[];
  readonly prefix: boolean;
}

const startsAlike = (tokens: readonly string[], wanted: readonly string[], prefix: boolean): boolean =>
  wanted.every((token, at) => (prefix && at === wanted.length - 1 ? (tokens[at] ?? '').startsWith(token) : tokens[at] === token));

const containsAll = (values: readonly (readonly string[])[], { tokens, prefix }: Wanted): boolean =>
  tokens.every((token, at) =>
    values.some((value) =>
      prefix && at === tokens.length - 1 ? value.some((other) => other.startsWith(token)) : value.includes(token),
    ),
  );

export const matchesText = (
  values: readonly (readonly string[])[],
  wanted: Wanted,
  exact: boolean,
  exactPrefix: boolean,
): boolean => {
  if (!exact) return containsAll(values, wanted);
  const asPrefix = wanted.prefix && exactPrefix;
  return values.some(
    (value) =>
      (asPrefix ? value.length >= wanted.tokens.length : value.length === wanted.tokens.length) &&
      startsAlike(value, wanted.tokens, asPrefix),
  );
};
