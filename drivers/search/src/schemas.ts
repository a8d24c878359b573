import { DriverError, isDriverError } from '@tabularium/sdk';
import type { BatchColumn } from '@tabularium/sdk';
import { badAnswer } from './client.ts';
import type { SearchClient } from './client.ts';
import type { ExactJson } from './exactJson.ts';
import type { JsonObject } from './guards.ts';
import { LearnedColumns } from './learnedColumns.ts';
import { collectionPath } from './paths.ts';
import type { CollectionSchema } from './schema.ts';
import { collectionOf } from './schema.ts';
import { faultTexts } from './faultTexts.ts';

/** More collections than anybody has open; the oldest are forgotten first. */
const MAX_KNOWN = 1_000;

export interface LoadedSchema {
  readonly schema: CollectionSchema;
  readonly answer: ExactJson;
}

/**
 * The schemas of a session. A schema stays as it was until the structure is read again, so that the columns of a grid do not change
 * between two pages; learned fields appear then.
 */
export class Schemas {
  readonly #client: SearchClient;
  /** undefined: the key may not read it. */
  readonly #known = new Map<string, CollectionSchema | undefined>();
  /** Columns of collections whose schema the key may not read, from the documents that were read so far. */
  readonly #learned = new Map<string, LearnedColumns>();

  constructor(client: SearchClient) {
    this.#client = client;
  }

  /** @throws DriverError `NOT_FOUND`, `ACCESS_REFUSED` */
  async load(collection: string, signal: AbortSignal): Promise<LoadedSchema> {
    const loaded = await this.#read(collection, signal);
    this.#remember(collection, loaded.schema);
    return loaded;
  }

  async #read(collection: string, signal: AbortSignal): Promise<LoadedSchema> {
    const path = collectionPath(collection);
    let answer: ExactJson;
    try {
      answer = await this.#client.read(path, signal);
    } catch (error) {
      this.#known.delete(collection);
      throw isDriverError(error) && error.code === 'NOT_FOUND' ? noSuchCollection(collection, error) : error;
    }
    const schema = collectionOf(answer.value);
    if (schema === undefined) throw badAnswer(`GET ${path}`, 'it holds no collection');
    return { schema, answer };
  }

  /** The schema as it was last read; undefined when the key may search but not read schemas. */
  async get(collection: string, signal: AbortSignal): Promise<CollectionSchema | undefined> {
    if (this.#known.has(collection)) return this.#known.get(collection);
    try {
      return (await this.load(collection, signal)).schema;
    } catch (error) {
      if (!isDriverError(error) || error.code !== 'ACCESS_REFUSED') throw error;
      this.#remember(collection, undefined);
      return undefined;
    }
  }

  /** The schema as it is now. It is not kept: only reading the structure does that. */
  async current(collection: string, signal: AbortSignal): Promise<CollectionSchema> {
    return (await this.#read(collection, signal)).schema;
  }

  /** How many documents there are now. */
  async count(collection: string, signal: AbortSignal): Promise<number> {
    return (await this.current(collection, signal)).documents;
  }

  /** Columns that documents have shown. A description of the collection lists them; pages keep to the described ones. */
  learned(collection: string): LearnedColumns {
    const columns = this.#learned.get(collection) ?? new LearnedColumns();
    setLatest(this.#learned, collection, columns);
    return columns;
  }

  /** Learns from documents of a collection whose schema the key may not read; columns of one that was never described are not needed. */
  learnFrom(collection: string, documents: Iterable<JsonObject>): void {
    this.#learned.get(collection)?.learn(documents);
  }

  /** The columns of a collection's description; undefined where it was not described. */
  describedColumns(collection: string): readonly BatchColumn[] | undefined {
    return this.#learned.get(collection)?.described;
  }

  forget(collection: string): void {
    this.#known.delete(collection);
    this.#learned.delete(collection);
  }

  clear(): void {
    this.#known.clear();
    this.#learned.clear();
  }

  #remember(collection: string, schema: CollectionSchema | undefined): void {
    setLatest(this.#known, collection, schema);
  }
}

function setLatest<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name);
  map.set(name, value);
  const oldest = map.size > MAX_KNOWN ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
}

export function noSuchCollection(collection: string, cause?: unknown): DriverError {
  return new DriverError('NOT_FOUND', `There is no collection “${collection}”.`, {
    ...(cause === undefined ? {} : { cause }),
    details: { texts: faultTexts('fault.noCollection', { name: collection }) },
  });
}
