import { badRequest } from '../errors.ts';

export const joinStrategies = ['nest', 'nest_array', 'merge'] as const;
export type JoinStrategy = (typeof joinStrategies)[number];

/** `$collection(fields)` of `include_fields`. */
export interface JoinedInclude {
  readonly collection: string;
  readonly fields: readonly string[];
  readonly strategy: JoinStrategy;
  /** The member that holds the joined document. */
  readonly alias: string;
}

export interface Includes {
  readonly fields: readonly string[];
  readonly joined: readonly JoinedInclude[];
}

const REFERENCE = /^\$([^(]+)\(([^)]*)\)(?:\s+as\s+(\S+))?$/;
const STRATEGY = /^strategy\s*:\s*(\S+)$/;

const trimmed = (parts: readonly string[]): string[] => parts.map((part) => part.trim()).filter((part) => part !== '');

/** Splits at commas outside parentheses. */
const splitOutside = (text: string): string[] => {
  if (text.split('(').length !== text.split(')').length) {
    throw badRequest(
      `Invalid reference \`${text}\` in include_fields/exclude_fields, expected \`$CollectionName(fieldA, ...)\`.`,
    );
  }
  return trimmed(text.split(/,(?![^(]*\))/));
};

const readJoined = (part: string): JoinedInclude | undefined => {
  const [, collection, inner, alias] = REFERENCE.exec(part) ?? [];
  if (collection === undefined || inner === undefined) return undefined;
  const members = trimmed(inner.split(','));
  const strategies = members.flatMap((member) => STRATEGY.exec(member)?.[1] ?? []);
  return {
    collection: collection.trim(),
    fields: members.filter((member) => !STRATEGY.test(member)),
    strategy: joinStrategies.find((known) => known === strategies[0]) ?? 'nest',
    alias: alias ?? collection.trim(),
  };
};

/** The fields that `include_fields` or `exclude_fields` names, without those of other collections. */
export const readIncludes = (text: string): Includes => {
  if (!text.includes('$')) return { fields: trimmed(text.split(',')), joined: [] };
  const parts = splitOutside(text).map((part) => ({ part, joined: part.startsWith('$') ? readJoined(part) : undefined }));
  return {
    fields: parts.flatMap(({ joined, part }) => (joined === undefined ? [part] : [])),
    joined: parts.flatMap(({ joined }) => joined ?? []),
  };
};
