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

/** The words of a filter's value; the last word of a prefix may be incomplete. */
export interface Wanted {
  readonly tokens: readonly string[];
  readonly prefix: boolean;
  /** The candidates for the last word of a prefix; every word with that beginning if undefined. */
  readonly candidates?: ReadonlySet<string>;
}

const continues = (token: string, start: string, { candidates }: Wanted): boolean =>
  candidates === undefined ? token.startsWith(start) : candidates.has(token);

const startsAlike = (tokens: readonly string[], wanted: Wanted, prefix: boolean): boolean =>
  wanted.tokens.every((token, at) =>
    prefix && at === wanted.tokens.length - 1 ? continues(tokens[at] ?? '', token, wanted) : tokens[at] === token,
  );

const containsAll = (values: readonly (readonly string[])[], wanted: Wanted): boolean =>
  wanted.tokens.every((token, at) =>
    values.some((value) =>
      wanted.prefix && at === wanted.tokens.length - 1
        ? value.some((other) => continues(other, token, wanted))
        : value.includes(token),
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
      startsAlike(value, wanted, asPrefix),
  );
};
