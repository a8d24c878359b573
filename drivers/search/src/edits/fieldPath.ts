import type { CollectionSchema } from '../schema.ts';
import type { ExactValue } from './exactValue.ts';
import { emptyObject, isExactObject } from './exactValue.ts';

/** Where a field lies in a document: the members to go through, the last of which holds the value. */
export interface FieldPath {
  readonly segments: readonly string[];
  /** False where the schema doesn't show which of them it is for a document that lacks the field. */
  readonly certain: boolean;
}

/**
 * A dotted name is a path into nested objects in a collection with nested fields, and one name elsewhere. It matters: a server with
 * nested fields answers 200 to `{"author.age":42}` and changes nothing, while `{"author":{"age":42}}` changes just that leaf.
 *
 * The server doesn't distinguish `{"a":{"b":1}}` from `{"a.b":1}` in its schema, unless it lists the object `a` as well.
 */
export function fieldPath(name: string, schema: CollectionSchema): FieldPath {
  if (!schema.nested || !name.includes('.')) return { segments: [name], certain: true };
  const segments = name.split('.');
  const objects = new Set(schema.fields.filter(({ type }) => type === 'object').map((field) => field.name));
  if (segments.some((_, end) => objects.has(segments.slice(0, end).join('.')))) return { segments, certain: true };
  // A field that was declared without its parent is meant as a path. One that was learned is a dotted name: a path would have been
  // learned with its parent.
  const learns = schema.fields.some((field) => field.name.includes('.*'));
  return { segments: learns ? [name] : segments, certain: false };
}

/** Where a document has a field, if it has it. */
export function pathInDocument(document: ExactValue, name: string): readonly string[] | undefined {
  if (!isExactObject(document)) return undefined;
  for (const member of Object.keys(document)) {
    if (member === name) return [member];
    if (!name.startsWith(`${member}.`)) continue;
    const inside = pathInDocument(document[member], name.slice(member.length + 1));
    if (inside !== undefined) return [member, ...inside];
  }
  return undefined;
}

/**
 * The members of a document with a dot in their name that a change of their namesakes in nested objects would drop, as they are. A server with nested fields
 * answers `{"a":{"b":2}}` for a document `{"a":{"c":1},"a.b":1}` with 200 and drops `a.b`, unless the change has it, too. (26.0 to 30.0; its schema
 * doesn't distinguish the two.)
 */
export function dottedBeside(
  patch: Readonly<Record<string, ExactValue>>,
  document: ExactValue,
): readonly (readonly [name: string, value: ExactValue])[] {
  if (!isExactObject(document)) return [];
  const changed = Object.keys(patch);
  return Object.entries(document).filter(
    ([name]) => !Object.hasOwn(patch, name) && changed.some((member) => name.startsWith(`${member}.`)),
  );
}

/** Sets the value at a path; objects on the way are made. */
export function setAt(object: Record<string, ExactValue>, segments: readonly string[], value: ExactValue): void {
  const [first = '', ...rest] = segments;
  if (rest.length === 0) {
    object[first] = value;
    return;
  }
  const inside = (object[first] ??= emptyObject()) as Record<string, ExactValue>;
  setAt(inside, rest, value);
}

/** The value at a path; undefined where the document has none. */
export function valueAt(document: ExactValue, segments: readonly string[]): ExactValue {
  return segments.reduce<ExactValue>(
    (value, segment) => (isExactObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined),
    document,
  );
}
