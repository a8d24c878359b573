import type { Collection } from '../store/collection.ts';
import { valuesAt } from '../schema/flatten.ts';
import type { JsonValue } from '../json/value.ts';

/** How documents of one collection find those of another: one of the two has a field that refers to the other. */
export interface Relation {
  readonly forward: boolean;
  related(sequence: number): readonly number[];
}

interface Reference {
  readonly field: string;
  readonly target: string;
}

/** The field of `from` that refers to `to`, and the field of `to` it names. */
const referenceTo = (from: Collection, to: Collection): Reference | undefined => {
  for (const { name, reference } of from.fields.values()) {
    if (reference.startsWith(`${to.name}.`)) return { field: name, target: reference.slice(to.name.length + 1) };
  }
  return undefined;
};

const keysOf = (collection: Collection, sequence: number, name: string): string[] =>
  valuesAt(collection.documents.indexed(sequence, false), name.split('.')).map((value: JsonValue) => JSON.stringify(value));

const sequencesByKey = (collection: Collection, name: string): Map<string, number[]> => {
  const found = new Map<string, number[]>();
  for (const sequence of collection.documents.sequences()) {
    for (const key of keysOf(collection, sequence, name)) found.set(key, [...(found.get(key) ?? []), sequence]);
  }
  return found;
};

/** Undefined where neither refers to the other. */
export const relationBetween = (from: Collection, to: Collection): Relation | undefined => {
  const own = referenceTo(from, to);
  const foreign = own === undefined ? referenceTo(to, from) : undefined;
  const [name, other] = own === undefined ? [foreign?.target, foreign?.field] : [own.field, own.target];
  if (name === undefined || other === undefined) return undefined;
  let byKey: Map<string, number[]> | undefined;
  const related = (sequence: number): number[] => {
    byKey ??= sequencesByKey(to, other);
    const known = byKey;
    return keysOf(from, sequence, name).flatMap((key) => known.get(key) ?? []);
  };
  return { forward: own !== undefined, related };
};
