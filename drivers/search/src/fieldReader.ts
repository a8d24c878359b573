import type { JsonObject } from './guards.ts';
import { isObject } from './guards.ts';

/** Finds a field's value in a document; undefined when the document does not have it. */
export type FieldReader = (document: JsonObject) => unknown;

/** A dotted name taken apart. */
interface Path {
  readonly segments: readonly string[];
  /** `joined[from][to]`: the segments from one to another, both included, as one name again. */
  readonly joined: readonly (readonly string[])[];
  /** Whether one of the segments is also the name of an inherited member. */
  readonly inherited: boolean;
}

function pathOf(name: string): Path {
  const segments = name.split('.');
  return {
    segments,
    joined: segments.map((_, from) => segments.map((__, to) => segments.slice(from, to + 1).join('.'))),
    inherited: segments.some(isInherited),
  };
}

/** Members that every object inherits: a field of such a name must be looked up as an own member only. */
function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/**
 * A reader for a field. A dotted name is a path into nested objects, or a member that is really called so, or a mixture (`a.b` holding
 * `c`): the server names all of them `a.b.c`. Under a list of objects it gives one entry per element, null where an element omits it.
 */
export function fieldReader(name: string): FieldReader {
  if (!name.includes('.')) {
    return isInherited(name)
      ? (document) => (Object.hasOwn(document, name) ? document[name] : undefined)
      : (document) => document[name];
  }
  const path = pathOf(name);
  return (document) => walk(document, path, 0);
}

/** The ordinary case, quickly: every segment is a member. Where one is missing, {@link resolve} handles all cases. */
function walk(start: JsonObject, path: Path, from: number): unknown {
  const { segments, inherited } = path;
  if (inherited) return resolve(start, path, from);
  let value: unknown = start;
  for (let at = from; at < segments.length; at += 1) {
    if (Array.isArray(value)) return entries(value, path, at);
    if (!isObject(value)) return resolve(start, path, from);
    value = value[segments[at] ?? ''];
  }
  return value === undefined ? resolve(start, path, from) : value;
}

/** One entry per element: what an element holds, or null. */
function entries(list: readonly unknown[], path: Path, from: number): unknown[] {
  const found: unknown[] = [];
  for (const element of list) {
    if (isObject(element)) found.push(walk(element, path, from) ?? null);
    else found.push(Array.isArray(element) ? entries(element, path, from) : null);
  }
  return found;
}

function resolve(object: JsonObject, path: Path, from: number): unknown {
  const { segments, joined } = path;
  for (let to = from; to < segments.length; to += 1) {
    const key = joined[from]?.[to] ?? '';
    if (!Object.hasOwn(object, key)) continue;
    const value = object[key];
    if (to === segments.length - 1) return value;
    const inside = isObject(value)
      ? resolve(value, path, to + 1)
      : Array.isArray(value)
        ? entries(value, path, to + 1)
        : undefined;
    if (inside !== undefined) return inside;
  }
  return undefined;
}
