import type { JsonObject } from './guards.ts';
import { isObject } from './guards.ts';

/** Finds a field's value in a document; undefined when the document does not have it. */
export type FieldReader = (document: JsonObject) => unknown;

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
  const segments = name.split('.');
  if (segments.some(isInherited)) return (document) => resolve(document, segments, 0);
  return (document) => straight(document, segments) ?? resolve(document, segments, 0);
}

/** The ordinary case, quickly: objects in objects all the way. Undefined leaves it to {@link resolve}, which knows all cases. */
function straight(document: JsonObject, segments: readonly string[]): unknown {
  let value: unknown = document;
  for (const segment of segments) {
    if (!isObject(value)) return undefined;
    value = value[segment];
  }
  return value;
}

function resolve(object: JsonObject, segments: readonly string[], from: number): unknown {
  let key = '';
  for (let next = from; next < segments.length; next += 1) {
    const segment = segments[next] ?? '';
    key = next === from ? segment : `${key}.${segment}`;
    if (!Object.hasOwn(object, key)) continue;
    const value = object[key];
    if (next === segments.length - 1) return value;
    const inside = below(value, segments, next + 1);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function below(value: unknown, segments: readonly string[], from: number): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => below(element, segments, from) ?? null);
  return isObject(value) ? resolve(value, segments, from) : undefined;
}
