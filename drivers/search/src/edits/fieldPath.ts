import type { CollectionSchema } from '../schema.ts';
import type { ExactValue } from './exactValue.ts';
import { emptyObject, isExactObject } from './exactValue.ts';

/** Where a field lies in a document: the members to go through, the last of which holds the value. */
export interface FieldPath {
  readonly segments: readonly string[];
  /** False where documents of one schema may differ: only the document itself shows it. */
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
