import { notFound } from './errors.ts';
import { Analytics } from './analytics/analytics.ts';
import type { CurationRule } from './curation/rule.ts';
import { Keys } from './keys.ts';
import { emptyObject, isObject } from './json/value.ts';
import type { JsonObject } from './json/value.ts';
import { list } from './search/params.ts';
import type { SearchParams } from './search/params.ts';
import { NO_CONTEXT } from './search/searchContext.ts';
import type { SearchContext } from './search/searchContext.ts';
import { Collection } from './store/collection.ts';
import type { CollectionDefinition } from './store/collection.ts';
import type { Synonym } from './synonyms/synonym.ts';
import type { Features } from './versions.ts';

/** The data of a collection besides its documents. */
export interface Curation {
  readonly synonyms: Map<string, Synonym>;
  readonly overrides: Map<string, CurationRule>;
}

/** In the order of the ids. */
export const byId = <T>(records: ReadonlyMap<string, T>): T[] =>
  [...records].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, record]) => record);

/** The whole state of a running sandbox. */
export class Engine {
  readonly features: Features;
  readonly keys: Keys;
  readonly aliases = new Map<string, string>();
  readonly presets = new Map<string, JsonObject>();
  readonly stopwords = new Map<string, JsonObject>();
  readonly analytics: Analytics;
  /** From version 30, by name and then by id. */
  readonly synonymSets = new Map<string, Map<string, Synonym>>();
  readonly curationSets = new Map<string, Map<string, CurationRule>>();
  readonly #collections = new Map<string, Collection>();
  readonly #curations = new Map<string, Curation>();

  constructor(features: Features, apiKey: string) {
    this.features = features;
    this.keys = new Keys(apiKey);
    this.analytics = new Analytics(features, (name) => this.collection(name));
  }

  /** By its name or by an alias of it. */
  collection(name: string): Collection | undefined {
    return this.#collections.get(name) ?? this.#collections.get(this.aliases.get(name) ?? '');
  }

  ownName(name: string): boolean {
    return this.#collections.has(name);
  }

  /** The newest first. */
  get collections(): Collection[] {
    return [...this.#collections.values()].reverse();
  }

  create(definition: CollectionDefinition): Collection {
    const collection = new Collection(definition, (name) => this.collection(name));
    this.#collections.set(definition.name, collection);
    return collection;
  }

  drop(collection: Collection): void {
    this.#collections.delete(collection.name);
    this.#curations.delete(collection.name);
  }

  curation(collection: Collection): Curation {
    const existing = this.#curations.get(collection.name);
    if (existing !== undefined) return existing;
    const made: Curation = { synonyms: new Map(), overrides: new Map() };
    this.#curations.set(collection.name, made);
    return made;
  }

  /** The data that the searches of a collection work on. */
  searchContext(collection: Collection): SearchContext {
    const { stopwords } = this;
    if (this.features.sets) return { ...this.#contextOfSets(collection), stopwords };
    const curation = this.#curations.get(collection.name);
    if (curation === undefined) return { ...NO_CONTEXT, stopwords };
    return { stopwords, rules: byId(curation.overrides), synonyms: byId(curation.synonyms) };
  }

  /** A curation set that is gone is passed over; a synonym set that is gone fails every search that names it. */
  #contextOfSets({ curationSets, synonymSets }: Collection): SearchContext {
    if (curationSets.length === 0 && synonymSets.length === 0) return NO_CONTEXT;
    return {
      rules: curationSets.flatMap((name) => byId(this.curationSets.get(name) ?? new Map<string, CurationRule>())),
      synonyms: this.#synonymsOf(synonymSets),
    };
  }

  /** The sets that a search names itself. */
  namedSynonyms(params: SearchParams): { readonly synonyms?: readonly Synonym[] } {
    const names = list(params, 'synonym_sets');
    return names.length === 0 ? {} : { synonyms: this.#synonymsOf(names) };
  }

  #synonymsOf(names: readonly string[]): Synonym[] {
    return names.flatMap((name) => {
      const set = this.synonymSets.get(name);
      if (set === undefined) throw notFound('Synonym index not found');
      return [...set.values()];
    });
  }

  /** The parameters of a preset. Searches pass over one that is not there. */
  preset(name: string): JsonObject {
    const value = this.presets.get(name)?.['value'];
    return isObject(value) ? value : emptyObject();
  }
}
