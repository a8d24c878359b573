import type { BatchColumn, ColumnKind } from '@tabularium/sdk';
import { compareNames } from './columns.ts';
import type { FilterClass } from './fieldTypes.ts';
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
  const kinds: Kinds = new Map();
  for (const document of documents) {
    forEachLeaf(document, (name, value) => kinds.set(name, join(kinds.get(name), kindOf(value))));
  }
  return columnsOf(kinds);
}

type Kinds = Map<string, ColumnKind | undefined>;

function columnsOf(kinds: Kinds): BatchColumn[] {
  const names = [...kinds.keys()].sort((a, b) => (a === 'id' ? -1 : b === 'id' ? 1 : compareNames(a, b)));
  return names.map((name) => ({ name, kind: kinds.get(name) ?? 'text' }));
}

/** A column of documents, and whether it can be filtered as a schema would let it. */
export interface LearnedColumn extends BatchColumn {
  readonly filterClass?: FilterClass;
}

/** The columns of a collection whose schema is hidden: what its documents have shown so far. */
export class LearnedColumns {
  readonly #kinds: Kinds = new Map([['id', 'text']]);
  /** Lists of texts can be filtered as texts; a list of numbers may be a place or a vector. */
  readonly #listsOfTexts = new Map<string, boolean>();
  #described: readonly BatchColumn[] | undefined;

  learn(documents: Iterable<JsonObject>): void {
    for (const document of documents) {
      forEachLeaf(document, (name, value) => {
        this.#kinds.set(name, join(this.#kinds.get(name), kindOf(value)));
        if (!Array.isArray(value) || value.length === 0) return;
        const isTexts = value.every((entry) => typeof entry === 'string' && exactDigits(entry) === undefined);
        this.#listsOfTexts.set(name, isTexts && this.#listsOfTexts.get(name) !== false);
      });
    }
  }

  /** All learned columns, which descriptions list from now on. */
  describe(): readonly LearnedColumn[] {
    const columns = columnsOf(this.#kinds);
    this.#described = columns;
    return columns.map((column) => {
      const filterClass = this.#filterClassOf(column);
      return filterClass === undefined ? column : { ...column, filterClass };
    });
  }

  /** The columns of the last description. */
  get described(): readonly BatchColumn[] | undefined {
    return this.#described;
  }

  #filterClassOf({ name, kind }: BatchColumn): FilterClass | undefined {
    if (name === 'id') return 'id';
    switch (kind) {
      case 'text':
        return 'text';
      case 'integer':
      case 'decimal':
        // Whole numbers may be of a field that holds others as well.
        return 'number';
      case 'boolean':
        return 'boolean';
      default:
        return this.#listsOfTexts.get(name) === true ? 'text' : undefined;
    }
  }
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
