import type { BatchColumn, ColumnKind } from '@tabularium/sdk';
import { compareNames } from './columns.ts';
import { exactDigits } from './exactJson.ts';
import type { JsonObject } from './guards.ts';
import { isObject } from './guards.ts';

/** How deep objects are taken apart. What lies deeper is shown as JSON. */
const MAX_DEPTH = 20;

/** Visits every leaf of a document, nested objects by dotted names. A list, and an empty object, is a leaf. */
export function forEachLeaf(document: JsonObject, visit: (name: string, value: unknown) => void): void {
  descend(document, '', 0, visit);
}

function descend(object: JsonObject, prefix: string, depth: number, visit: (name: string, value: unknown) => void): void {
  for (const [key, value] of Object.entries(object)) {
    const name = prefix + key;
    if (isObject(value) && depth < MAX_DEPTH && Object.keys(value).length > 0) descend(value, `${name}.`, depth + 1, visit);
    else visit(name, value);
  }
}

/** Columns for documents of which no schema is known: every leaf of every document, `id` first and the rest by name. */
export function learnColumns(documents: Iterable<JsonObject>): BatchColumn[] {
  const kinds = new Map<string, ColumnKind | undefined>();
  for (const document of documents) {
    forEachLeaf(document, (name, value) => kinds.set(name, join(kinds.get(name), kindOf(value))));
  }
  const names = [...kinds.keys()].sort((a, b) => (a === 'id' ? -1 : b === 'id' ? 1 : compareNames(a, b)));
  return names.map((name) => ({ name, kind: kinds.get(name) ?? 'text' }));
}

/** The kind that fits both, where there is one; a null (undefined) says nothing yet. */
function join(known: ColumnKind | undefined, found: ColumnKind | undefined): ColumnKind | undefined {
  if (known === undefined || found === undefined || known === found) return known ?? found;
  const numbers = (known === 'integer' || known === 'decimal') && (found === 'integer' || found === 'decimal');
  return numbers ? 'decimal' : 'text';
}

function kindOf(value: unknown): ColumnKind | undefined {
  switch (typeof value) {
    case 'string':
      return exactDigits(value) === undefined ? 'text' : 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'decimal';
    case 'boolean':
      return 'boolean';
    case 'object':
      return value === null ? undefined : 'json';
    default:
      return undefined;
  }
}
