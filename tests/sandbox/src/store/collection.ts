import { print } from '../json/print.ts';
import { objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { showField } from '../schema/field.ts';
import type { Field } from '../schema/field.ts';
import { SchemaFields } from '../schema/schemaFields.ts';
import type { TextMatches } from '../search/textMatches.ts';
import type { Features } from '../versions.ts';
import { Documents } from './documents.ts';
import { Indices } from './indices.ts';
import { LruCache } from './lruCache.ts';

export interface CollectionDefinition {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly defaultSortingField: string;
  readonly enableNestedFields: boolean;
  readonly tokenSeparators: readonly string[];
  readonly symbolsToIndex: readonly string[];
  readonly metadata: JsonValue | undefined;
  readonly createdAt: number;
  /** From version 30: the sets the collection names. */
  readonly synonymSets?: readonly string[];
  readonly curationSets?: readonly string[];
}

const without = (document: JsonObject, names: readonly string[]): JsonObject =>
  objectOf(Object.entries(document).filter(([name]) => !names.includes(name)));

const MAX_CACHED_ORDERS = 24;
const MAX_CACHED_MATCHES = 8;

/** A schema, its documents and what has been worked out about them. Orders are remembered until the next write. */
export class Collection {
  readonly name: string;
  readonly createdAt: number;
  readonly enableNestedFields: boolean;
  defaultSortingField: string;
  readonly tokenSeparators: readonly string[];
  readonly symbolsToIndex: readonly string[];
  readonly documents = new Documents();
  readonly schema: SchemaFields;
  readonly indices: Indices;
  /** Result orders and filter matches by what was asked. */
  readonly orders = new LruCache<Uint32Array>(MAX_CACHED_ORDERS);
  /** Facet counts by the order they were counted over. */
  readonly facetTexts = new WeakMap<Uint32Array, Map<string, string>>();
  readonly textMatches = new LruCache<TextMatches>(MAX_CACHED_MATCHES);
  metadata: JsonValue | undefined;
  synonymSets: readonly string[];
  curationSets: readonly string[];

  /** Another collection of the same server, by its name or an alias. */
  readonly others: (name: string) => Collection | undefined;

  constructor(definition: CollectionDefinition, others: (name: string) => Collection | undefined = () => undefined) {
    this.others = others;
    this.name = definition.name;
    this.createdAt = definition.createdAt;
    this.enableNestedFields = definition.enableNestedFields;
    this.defaultSortingField = definition.defaultSortingField;
    this.tokenSeparators = definition.tokenSeparators;
    this.symbolsToIndex = definition.symbolsToIndex;
    this.metadata = definition.metadata;
    this.synonymSets = definition.synonymSets ?? [];
    this.curationSets = definition.curationSets ?? [];
    this.schema = new SchemaFields(definition.fields);
    const tokenizing = { symbols: this.symbolsToIndex.join(''), separators: this.tokenSeparators.join('') };
    this.indices = new Indices(this.documents, this.fields, tokenizing);
  }

  get tokenizing(): { symbols: string; separators: string } {
    return { symbols: this.symbolsToIndex.join(''), separators: this.tokenSeparators.join('') };
  }

  /** The fields that hold values. */
  get fields(): ReadonlyMap<string, Field> {
    return this.schema.settled;
  }

  /** Returns the text that is stored, without the fields that are only indexed. */
  put(sequence: number, id: string, document: JsonObject): string {
    const unstored = this.#unstored(document);
    const text = print(unstored.length === 0 ? document : without(document, unstored));
    this.documents.put(sequence, id, text, unstored.length === 0 ? undefined : print(document));
    this.indices.changed(sequence, document);
    this.forgetResults();
    return text;
  }

  /** For documents that are known to be right: their text as it is stored, and their values. */
  load(id: string, text: string, document: JsonObject): void {
    const sequence = this.documents.takeSequence();
    this.documents.put(sequence, id, text);
    this.indices.changed(sequence, document);
  }

  remove(sequence: number, id: string): void {
    this.documents.remove(sequence, id);
    this.forgetResults();
  }

  clear(): void {
    this.documents.clear();
    this.forgetResults();
  }

  /** Only fields at the top of a document are left out of what is stored. */
  #unstored(document: JsonObject): string[] {
    if (!this.schema.hasUnstored) return [];
    return Object.keys(document).filter((name) => this.fields.get(name)?.store === false);
  }

  forgetResults(): void {
    this.orders.clear();
    this.textMatches.clear();
  }

  summary(features: Features, withFields = true): JsonObject {
    const shown: [string, JsonValue][] = [
      ['created_at', this.createdAt],
      ['default_sorting_field', this.defaultSortingField],
      ['enable_nested_fields', this.enableNestedFields],
      ['name', this.name],
      ['num_documents', this.documents.count],
      ['symbols_to_index', [...this.symbolsToIndex]],
      ['token_separators', [...this.tokenSeparators]],
    ];
    if (withFields) {
      const fields = this.schema.listed.map((field) => showField(field, features));
      shown.push(['fields', fields.length === 0 ? null : fields]);
    }
    if (features.sets) {
      shown.push(['curation_sets', [...this.curationSets]], ['synonym_sets', [...this.synonymSets]]);
    }
    if (features.collectionMetadata && this.metadata !== undefined) shown.push(['metadata', this.metadata]);
    return objectOf(shown);
  }
}
