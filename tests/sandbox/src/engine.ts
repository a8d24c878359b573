import { badRequest } from './errors.ts';
import { Keys } from './keys.ts';
import type { JsonObject } from './json/value.ts';
import { Collection } from './store/collection.ts';
import type { CollectionDefinition } from './store/collection.ts';
import type { Features } from './versions.ts';

/** Things a collection carries that the sandbox keeps and shows but does not act on. */
export interface Curation {
  readonly synonyms: Map<string, JsonObject>;
  readonly overrides: Map<string, JsonObject>;
}

/** Everything a running sandbox knows. */
export class Engine {
  readonly features: Features;
  readonly keys: Keys;
  readonly aliases = new Map<string, string>();
  readonly presets = new Map<string, JsonObject>();
  readonly stopwords = new Map<string, JsonObject>();
  readonly analyticsRules = new Map<string, JsonObject>();
  readonly #collections = new Map<string, Collection>();
  readonly #curations = new Map<string, Curation>();

  constructor(features: Features, apiKey: string) {
    this.features = features;
    this.keys = new Keys(apiKey);
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
    const collection = new Collection(definition);
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

  preset(name: string): JsonObject {
    const preset = this.presets.get(name);
    if (preset === undefined) throw badRequest(`Preset \`${name}\` not found.`);
    return preset;
  }
}
